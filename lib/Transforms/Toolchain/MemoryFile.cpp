//===- MemoryFile.cpp - a file without a name on disk ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryFile.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace regdem {

Expected<MemoryFile> MemoryFile::create(StringRef Contents) {
  // Without MFD_CLOEXEC: children are to inherit it.
  int Descriptor = memfd_create("regdem", 0);
  if (Descriptor < 0)
    return errorCodeToError(std::error_code(errno, std::generic_category()));
  MemoryFile File(Descriptor);
  raw_fd_ostream OS(Descriptor, /*shouldClose=*/false, /*unbuffered=*/true);
  OS << Contents;
  if (std::error_code Failure = OS.error()) {
    OS.clear_error();
    return errorCodeToError(Failure);
  }
  return File;
}

MemoryFile::~MemoryFile() {
  if (Descriptor >= 0)
    close(Descriptor);
}

std::string MemoryFile::path() const {
  return "/proc/self/fd/" + std::to_string(Descriptor);
}

std::string MemoryFile::contents() const {
  auto Read = MemoryBuffer::getFileAsStream(path());
  return Read ? (*Read)->getBuffer().str() : "";
}

} // namespace regdem
