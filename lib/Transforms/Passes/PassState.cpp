//===- PassState.cpp - what the passes of one pipeline share --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Passes/PassState.h"

#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Options.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regdem {

static RegisterPass<PassState> Registered("regdem-pass-state",
                                          "Register demotion: shared state",
                                          /*CFGOnly=*/false,
                                          /*is_analysis=*/true);

std::optional<Outcome> PassState::settled(const Function &F) const {
  return notesOn(F) ? Settled : readSettled(F);
}

Rewrite PassState::rewritesOf(const Function &F) const {
  std::optional<Outcome> S = settled(F);
  if (!S || !any(S->Rewrites))
    return Rewrite::None;
  // The machine pass reports options that cannot be read.
  auto Opts = expectedToOptional(optionsFor(F, commandLineOptions()));
  return Opts && Opts->RunMode != Mode::Off ? S->Rewrites : Rewrite::None;
}

void PassState::dropRewrites(Function &F, Rewrite Idle) const {
  std::optional<Outcome> S = settled(F);
  if (!S || notesOn(F))
    return;
  S->Rewrites &= ~Idle;
  writeSettled(F, *S);
}

void PassState::noteFusing(Function &F) const {
  if (TrialNotes *Notes = notesOn(F))
    Notes->FusesOtherwise = true;
  else
    setFusesOtherwise(F);
}

bool PassState::fusesAll(const Function &F) const {
  return MachineFusesAll && !areRoundingsFixed(F);
}

bool mayFuseOtherwise(const Function &F) {
  // As above.
  auto Opts = expectedToOptional(optionsFor(F, commandLineOptions()));
  return Opts && Opts->MayFuseOtherwise;
}

} // namespace regdem
