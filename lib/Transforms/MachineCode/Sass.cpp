//===- Sass.cpp - the machine code of a kernel ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/Sass.h"

#include "SassEncoding.h"
#include "SassGraph.h"
#include "SassText.h"
#include "regdem/MachineCode/RawCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

static Expected<SassKernel> readKernel(const SassText &Text, StringRef Name,
                                       ArrayRef<uint64_t> SlowPathTables) {
  Expected<SassKernel> K = buildSassGraph(Text, Name);
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
  Expected<SassText> Split = splitSassText(Text);
  if (!Split)
    return Split.takeError();
  return readKernel(*Split, Name, SlowPathTables);
}

/// Those for which the table was compared with nvdisasm.
static constexpr unsigned ComparedCapabilities[] = {80,  86,  87,  89,  90,
                                                    100, 103, 110, 120, 121};

std::optional<SassKernel> decodeSass(const RawCode &Code, StringRef Arch,
                                     ArrayRef<uint64_t> SlowPathTables) {
  unsigned Capability = 0;
  if (!Arch.consume_front("sm_") || Arch.consumeInteger(10, Capability) ||
      !is_contained(ComparedCapabilities, Capability))
    return std::nullopt;
  std::optional<DecodedText> Decoded =
      decodeEncoding(Code.Bytes, Code.Kernel, Capability);
  if (!Decoded)
    return std::nullopt;
  for (auto [Start, Name] : Code.Functions)
    Decoded->Text.Labels[Name] =
        static_cast<unsigned>(Start / InstructionBytes);
  return expectedToOptional(
      readKernel(Decoded->Text, Code.Kernel, SlowPathTables));
}

} // namespace regdem
