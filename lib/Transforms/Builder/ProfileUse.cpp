//===- ProfileUse.cpp - settle kernels by a profile -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileUse.h"

#include "Settling.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/KernelHash.h"
#include "regdem/Analysis/Legality.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Decision/Choice/Profile.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regdem {

namespace {

/// The profile that the options name; an empty one, with a warning, where it
/// cannot be used.
Profile readProfile(LLVMContext &Context, const Options &CommandLine) {
  if (CommandLine.ProfileFile.empty())
    return {};
  Expected<Profile> Read = Profile::read(CommandLine.ProfileFile);
  if (Read)
    return std::move(*Read);
  reportWarning(Context, toString(Read.takeError()) +
                             "; kernels are decided without it");
  return {};
}

/// Whether what the kernel calls bears the cap of S, and its pragma. Only the
/// assembler can tell, and it is asked for this one build.
bool calleesBear(const Function &F, const KernelFacts &Facts, const Outcome &S,
                 const TargetMachine &TM, const Options &O) {
  std::optional<Objective> Goal =
      statedObjective(Facts, optionsUnder(O, S), *lookupSMLimits(Facts.Arch));
  bool IsCapped = Goal && Goal->CapIsNew;
  if (!IsCapped && !S.SmemSpilling)
    return true;
  auto Assembler = expectedToOptional(Ptxas::choose(O.Ptxas));
  if (!Assembler || !*Assembler)
    return false; // The normal decision reports an error.
  auto Built = CandidateBuilder(*F.getParent(), F, TM, CapOrigin::Asked)
                   .build(profiledRecipe(S, Goal), **Assembler);
  return Built && !Built->front().isRefused();
}

/// Has F state how the stock build rounds, where S would round in another way
/// otherwise or might. False where S has to know that, and cannot.
bool stateRoundings(Function &F, const Outcome &S, const TargetMachine &TM,
                    const Options &O) {
  if (S.recipe() == BuildRecipe())
    return true;
  CandidateBuilder Stock(*F.getParent(), F, TM, CapOrigin::Free);
  if (!Stock.mayRoundOtherwise(S.Rewrites))
    return true;
  auto Assembler = expectedToOptional(Ptxas::choose(O.Ptxas));
  return (Assembler && *Assembler && Stock.stateRoundings(F, **Assembler)) ||
         !Stock.needsRoundings(S.Rewrites) || O.MayFuseOtherwise;
}

/// What Measured settles for F; none where the normal decision is to be made.
std::optional<Outcome> settleByProfile(Function &F, const Profile &Measured,
                                       const TargetMachine &TM,
                                       const KernelFacts &Facts,
                                       const Options &O) {
  if (Measured.empty() || O.RunMode == Mode::Off || readSettled(F))
    return std::nullopt;
  const ProfileEntry *Entry =
      Measured.find(Facts.Name, Facts.ArchName, readHash(F));
  if (!Entry) {
    if (Measured.mentions(Facts.Name, Facts.ArchName))
      emitMissed(F, Missed::ProfileStale);
    return std::nullopt;
  }
  Outcome S = Entry->settled();
  if (S.LeaveAlone)
    return S;
  Obstacle Why = findObstacle(Facts, O);
  if (!mayTryBuilds(Why, Facts, O) ||
      (Why != Obstacle::None && !S.isLegalDespite(Why)))
    return std::nullopt;
  if (!stateRoundings(F, S, TM, O)) {
    emitMissed(F, Missed::ProfileRounding);
    return std::nullopt;
  }
  if (S.SmemSpilling && !maySpillToShared(F, Facts, O, TM)) {
    emitMissed(F, Missed::ProfileSmemSpilling);
    return std::nullopt;
  }
  if (Facts.HasCalls && !calleesBear(F, Facts, S, TM, O)) {
    emitMissed(F, S.SmemSpilling ? Missed::ProfileSmemSpilling
                                 : Missed::ProfileCalleeRegisters);
    return std::nullopt;
  }
  return S;
}

} // namespace

void applyStatedBuilds(Module &M, TargetMachine &TM,
                       const Options &CommandLine) {
  Profile Measured = readProfile(M.getContext(), CommandLine);
  if (CommandLine.ReportFile.empty() && Measured.empty() && !CommandLine.Stated)
    return;
  KernelHasher Hasher(M);
  for (Function &F : kernelsOf(M))
    writeHash(F, Hasher.hash(F));
  for (Function &F : kernelsOf(M)) {
    auto O = expectedToOptional(optionsFor(F, CommandLine));
    if (!O)
      continue; // The machine pass reports it.
    KernelFacts Facts = collectKernelFacts(F, *O);
    std::optional<Outcome> S =
        O->Stated ? statedOutcome(Facts, *O)
                  : settleByProfile(F, Measured, TM, Facts, *O);
    if (S) {
      if (S->IsStated)
        stateRoundings(F, *S, TM, *O); // What is not safe is left out.
      if (S->IsStated && S->SmemSpilling &&
          !maySpillToShared(F, Facts, *O, TM)) {
        S->SmemSpilling = false; // ptxas would refuse it.
        if (S->What == Decision::Pragma)
          S->What = Decision::Stock;
      }
      writeSettled(F, *S);
    }
  }
}

} // namespace regdem
