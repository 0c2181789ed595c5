//===- Sass.cpp - the machine code of a kernel ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/Sass.h"

#include "SassGraph.h"
#include "regdem/MachineCode/RawCode.h"

using namespace llvm;

namespace regdem {

Expected<SassKernel> readKernel(const SassListing &L, StringRef Name,
                                ArrayRef<uint64_t> SlowPathTables) {
  Expected<SassKernel> K = buildSassGraph(L, Name);
  if (!K)
    return K.takeError();
  findSassLoops(*K);
  markSlowPaths(*K, SlowPathTables);
  countEqualities(*K);
  estimateSassFrequencies(*K);
  return K;
}

Expected<SassKernel> parseSass(StringRef Text, StringRef Name,
                               ArrayRef<uint64_t> SlowPathTables) {
  Expected<SassListing> L = readListing(Text);
  if (!L)
    return L.takeError();
  return readKernel(*L, Name, SlowPathTables);
}

std::optional<SassKernel> decodeSass(const RawCode &Code,
                                     ArrayRef<uint64_t> SlowPathTables) {
  std::optional<SassListing> L = decodeListing(Code);
  if (!L)
    return std::nullopt;
  return expectedToOptional(readKernel(*L, Code.Kernel, SlowPathTables));
}

} // namespace regdem
