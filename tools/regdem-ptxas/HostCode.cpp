//===- HostCode.cpp - what a source's host code says ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"

#include "regdem/Builder/SettlePtx.h"
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

void readHostCode(StringRef Path, PtxProgram &Program) {
  std::string Its = commonName(sys::path::filename(Path), ".ptx");
  StringRef Folder = sys::path::parent_path(Path);
  std::error_code Error;
  sys::fs::directory_iterator File(Folder.empty() ? "." : Folder, Error), End;
  for (; !Its.empty() && !Error && File != End; File.increment(Error))
    if (commonName(sys::path::filename(File->path()), ".cudafe1.cpp") == Its) {
      auto Code = MemoryBuffer::getFile(File->path());
      // CUDA's headers have each name once.
      auto Uses = [&](StringRef Name) {
        return Code && (*Code)->getBuffer().count(Name) > 1;
      };
      Program.StatesCarveout |=
          Uses("cudaFuncCachePreferL1") || Uses("cudaFuncCachePreferEqual") ||
          Uses("cudaFuncAttributePreferredSharedMemoryCarveout");
      Program.StatesDynamic |=
          Uses("cudaFuncAttributeMaxDynamicSharedMemorySize");
    }
}

} // namespace regdem
