//===- Sass.cpp - the machine code of a kernel ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/Sass.h"

#include "SassEncoding.h"
#include "SassGraph.h"
#include "SassText.h"

using namespace llvm;

namespace regdem {

static Expected<SassKernel> readKernel(const SassText &Text, StringRef Name,
                                       const SassGuesses &Guesses) {
  Expected<SassKernel> K = buildSassGraph(Text, Name);
  if (!K)
    return K.takeError();
  findSassLoops(*K);
  markSlowPaths(*K, Guesses.SlowPathTables);
  countEqualities(*K);
  estimateSassFrequencies(*K, Guesses);
  return K;
}

Expected<SassKernel> parseSass(StringRef Text, StringRef Name,
                               const SassGuesses &Guesses) {
  Expected<SassText> Split = splitSassText(Text);
  if (!Split)
    return Split.takeError();
  return readKernel(*Split, Name, Guesses);
}

std::optional<SassKernel> decodeSass(StringRef Code, StringRef Name,
                                     StringRef Arch,
                                     const SassGuesses &Guesses) {
  // The table was compared with nvdisasm for these.
  if (Arch != "sm_90" && Arch != "sm_90a")
    return std::nullopt;
  std::optional<DecodedText> Decoded = decodeEncoding(Code, Name);
  if (!Decoded)
    return std::nullopt;
  Expected<SassKernel> K = readKernel(Decoded->Text, Name, Guesses);
  if (K)
    return std::move(*K);
  consumeError(K.takeError());
  return std::nullopt;
}

} // namespace regdem
