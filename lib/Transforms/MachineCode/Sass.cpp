//===- Sass.cpp - the machine code of a kernel ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/Sass.h"

#include "SassGraph.h"
#include "SassText.h"

using namespace llvm;

namespace regdem {

Expected<SassKernel> parseSass(StringRef Text, StringRef Name,
                               const SassGuesses &Guesses) {
  Expected<SassText> Split = splitSassText(Text);
  if (!Split)
    return Split.takeError();
  Expected<SassKernel> K = buildSassGraph(*Split, Name);
  if (!K)
    return K.takeError();
  findSassLoops(*K);
  markSlowPaths(*K, Guesses.SlowPathTables);
  countEqualities(*K);
  estimateSassFrequencies(*K, Guesses);
  return K;
}

} // namespace regdem
