//===- CompiledTexts.cpp - the PTX of all builds, each made once ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledTexts.h"

#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace regdem {

Expected<CandidateText> CompiledTexts::compile(const CandidateSource &From,
                                               const TargetMachine &TM,
                                               const BuildRecipe &Wanted,
                                               unsigned LaunchThreads,
                                               bool InOneGo) {
  auto CompileFrom = [&](const ModuleImage &Image) {
    return compileCandidate(Image, From.KernelName, TM, Wanted, From.CapIsFree,
                            LaunchThreads);
  };
  auto Compile = [&]() -> Expected<CandidateText> {
    TimeTraceScope Scope("RegDem generate PTX", [&] {
      return LaunchThreads ? (From.KernelName + ", blocks of " +
                              Twine(LaunchThreads) + " threads")
                                 .str()
                           : From.KernelName;
    });
    if (InOneGo)
      return CompileFrom(From.Image);
    Rewrite OfIR = rewritesOfIR(Wanted.Rewrites);
    auto Image = Prepared.get({From.Digest, OfIR}, [&] {
      return prepareCandidate(From.Image, From.KernelName, TM, OfIR);
    });
    if (!Image)
      return Image.takeError();
    return CompileFrom(*Image);
  };
  Expected<const CandidateText &> Made =
      Texts.get({From.Digest, From.CapIsFree, Wanted, LaunchThreads}, Compile);
  if (!Made)
    return Made.takeError();
  return *Made;
}

} // namespace regdem
