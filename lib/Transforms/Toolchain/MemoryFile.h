//===- MemoryFile.h - a file without a name on disk -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TOOLCHAIN_MEMORYFILE_H
#define REGDEM_LIB_TOOLCHAIN_MEMORYFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace regdem {

/// An anonymous file (memfd_create(2)) that child processes inherit and open
/// by its path under /proc/self/fd. It vanishes with its last descriptor.
class MemoryFile {
public:
  static llvm::Expected<MemoryFile> create(llvm::StringRef Contents);
  ~MemoryFile();
  MemoryFile(MemoryFile &&Other) noexcept : Descriptor(Other.Descriptor) {
    Other.Descriptor = -1;
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  MemoryFile &operator=(MemoryFile &&) = delete;

  /// The path by which this process and its children open the file.
  std::string path() const;
  /// What has been written to it.
  std::string contents() const;

private:
  explicit MemoryFile(int Descriptor) : Descriptor(Descriptor) {}
  int Descriptor;
};

} // namespace regdem

#endif // REGDEM_LIB_TOOLCHAIN_MEMORYFILE_H
