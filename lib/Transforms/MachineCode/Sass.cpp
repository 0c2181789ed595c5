//===- Sass.cpp - the machine code of a kernel ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/Sass.h"

#include "SassEncoding.h"
#include "SassGraph.h"
#include "regdem/MachineCode/RawCode.h"
#include "llvm/ADT/STLExtras.h"

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

/// Those for which the table was compared with nvdisasm.
static constexpr unsigned ComparedCapabilities[] = {80,  86,  87,  89,  90,
                                                    100, 103, 110, 120, 121};

std::optional<SassListing> decodeListing(const RawCode &Code) {
  if (!is_contained(ComparedCapabilities, Code.Capability))
    return std::nullopt;
  std::optional<SassListing> L = decodeEncoding(Code);
  if (!L)
    return std::nullopt;
  for (auto [Start, Name] : Code.Functions)
    L->Labels[Name] = static_cast<unsigned>(Start / InstructionBytes);
  return L;
}

std::optional<SassKernel> decodeSass(const RawCode &Code,
                                     ArrayRef<uint64_t> SlowPathTables) {
  std::optional<SassListing> L = decodeListing(Code);
  if (!L)
    return std::nullopt;
  return expectedToOptional(readKernel(*L, Code.Kernel, SlowPathTables));
}

} // namespace regdem
