//===- HostCode.cpp - host code that nvcc leaves beside PTX ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc (13.0 and 13.5 were tried) makes the host code of app.cu before it
// assembles the device code:
//
//   /tmp/tmpxft_0000545a_00000000-7_app.compute_80.ptx
//   /tmp/tmpxft_0000545a_00000000-6_app.compute_90.cudafe1.cpp
//
// One run's files have the same name up to the last "-". With one architecture
// there is no ".compute_90", with -keep nothing before "app".
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace regdem {

/// What files of one source and one run have in common: Name without its
/// number, the architecture and Extension; empty where it has another.
static std::string commonName(StringRef Name, StringRef Extension) {
  if (!Name.consume_back(Extension))
    return "";
  std::string Its = Regex("\\.compute_[0-9]+[af]?$").sub("", Name);
  return Regex("^(tmpxft_[0-9a-f]+_[0-9a-f]+-)[0-9]+_").sub("\\1", Its);
}

/// Whether Code uses one of these names, each of which CUDA's headers have
/// once.
static bool statesCarveout(StringRef Code) {
  constexpr StringRef Names[] = {
      "cudaFuncCachePreferL1", "cudaFuncCachePreferEqual",
      "cudaFuncAttributePreferredSharedMemoryCarveout"};
  return any_of(Names, [&](StringRef Name) { return Code.count(Name) > 1; });
}

bool hostCodeStatesCarveout(StringRef Path) {
  std::string Its = commonName(sys::path::filename(Path), ".ptx");
  StringRef Folder = sys::path::parent_path(Path);
  std::error_code Error;
  sys::fs::directory_iterator File(Folder.empty() ? "." : Folder, Error), End;
  for (; !Its.empty() && !Error && File != End; File.increment(Error))
    if (commonName(sys::path::filename(File->path()), ".cudafe1.cpp") == Its) {
      auto Code = MemoryBuffer::getFile(File->path());
      return Code && statesCarveout((*Code)->getBuffer());
    }
  return false;
}

} // namespace regdem
