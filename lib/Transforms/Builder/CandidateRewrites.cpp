//===- CandidateRewrites.cpp - what rewrites are worth a build ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which rewrites change a kernel, lower its pressure, and leave its results as
// they are, the last with stock's roundings stated where they have to be.
//
//===----------------------------------------------------------------------===//

#include "CandidateBuilder.h"

#include "StockRoundings.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Constants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace regdem {

bool CandidateBuilder::knowsRoundings() const {
  return !KnownRoundings.empty() && KnownRoundings != RoundingsUnknown;
}

bool CandidateBuilder::needsRoundings(Rewrite O) const {
  if (!HasOpenRoundings)
    return false;
  if (has(O, ProductRewrites))
    return true;
  auto Stock = Plain.find(BuildRecipe());
  return has(O, Rewrite::SkipMachineSink) && Stock != Plain.end() &&
         Stock->second.HasCrossBlockFMA;
}

bool CandidateBuilder::fixRoundings(const Ptxas &Assembler, PayForProof Pay) {
  if (!KnownRoundings.empty() || !stockText())
    return knowsRoundings();
  TimeTraceScope Scope("RegDem roundings", KernelName);
  auto CodeOf = [&](const CandidateSource &From,
                    bool HasLines) -> std::optional<std::string> {
    Expected<const CandidateText &> Text = Texts->compile(
        From, TM, BuildRecipe(), /*LaunchThreads=*/0, /*InOneGo=*/true);
    if (!Text) {
      consumeError(Text.takeError());
      return std::nullopt;
    }
    bool IsStated = !HasLines && From.Digest != Source.Digest;
    if (IsStated && Text->HasContractibleFMul)
      return std::nullopt;
    Ptxas::Job Job = jobFor(*Text, Relocatable, /*KeepCode=*/true);
    Job.LineTable = HasLines;
    auto Figures = expectedToOptional(
        Assembler.assemble(Job, Facts.ArchName, Opts.Limits));
    if (!Figures)
      return std::nullopt;
    return std::move(Figures->front().Cubin);
  };
  bool IsPaid = true;
  auto Found = findStockRoundings(Source, CodeOf,
                                  [&](ProofStep S) { return IsPaid = Pay(S); });
  if (IsPaid) // Else somebody who pays may still find them.
    KnownRoundings = Found.value_or(RoundingsUnknown.str());
  if (Found)
    Fixed = withRoundings(Source, *Found);
  return knowsRoundings();
}

bool CandidateBuilder::mayRoundOtherwise(Rewrite O) {
  const CandidateText *Stock = stockText();
  return Stock && (needsRoundings(O) || Stock->HasCrossBlockFMA);
}

bool CandidateBuilder::stateRoundings(Function &Kernel,
                                      const Ptxas &Assembler) {
  if (!fixRoundings(Assembler, [](ProofStep) { return true; }))
    return false;
  setRoundings(Kernel, KnownRoundings);
  return true;
}

/// Whether a plain build with O fuses the products that stock's does.
bool CandidateBuilder::isExact(Rewrite O) const {
  const CandidateText &Text = Plain.at(plain(O));
  if (Text.FusesOtherwise)
    return false;
  if (needsRoundings(O))
    return knowsRoundings();
  return !has(O, Rewrite::SkipMachineSink | Rewrite::UnrollLoops) ||
         (!Text.HasCrossBlockFMA && !Plain.at(BuildRecipe()).HasCrossBlockFMA);
}

bool CandidateBuilder::mayFuseOtherwise(Rewrite O) {
  return !stockText() || !compileAll(plain(O)) || !isExact(O);
}

/// O, which may inline calls and do something to the code then, if each of
/// these steps has something to do. Loops without branches to lose are no
/// obstacle: without that step then. Idle: of the stock build.
Rewrite CandidateBuilder::ifNotIdle(Rewrite O, Rewrite Idle) {
  Rewrite Then = O & ~Rewrite::InlineCalls;
  if (!has(O, Rewrite::InlineCalls) || !any(Then))
    return O;
  const BuildRecipe Inlined = plain(Rewrite::InlineCalls);
  if (has(Idle, Rewrite::InlineCalls) || !compileAll(Inlined))
    return Rewrite::None;
  Idle = Plain.at(Inlined).Idle;
  Then &= ~(Idle & Rewrite::HoistBranches);
  return has(Idle, Then) ? Rewrite::None : Then | Rewrite::InlineCalls;
}

std::vector<Rewrite>
CandidateBuilder::worthwhileRewrites(ArrayRef<Rewrite> Single,
                                     const Ptxas &Assembler, PayForProof Pay) {
  constexpr Rewrite None{};
  const CandidateText *Stock = stockText();
  if (!Stock)
    return {};
  auto PressureOf = [this](Rewrite O) {
    return Plain.at(plain(O)).Planned.PressureAfter;
  };
  auto Lowers = [&](Rewrite O, Rewrite From) {
    return isLessBy(Tuned.Relief, PressureOf(O), PressureOf(From));
  };
  auto MayFuse = [this](Rewrite O) {
    return Opts.MayFuseOtherwise || isExact(O);
  };
  auto MayRound = [&](Rewrite O) {
    return !needsRoundings(O) || fixRoundings(Assembler, Pay) ||
           Opts.MayFuseOtherwise;
  };
  const Rewrite Idle = Stock->Idle;
  std::vector<BuildRecipe> Tried;
  for (Rewrite O : Single)
    if ((O | Idle) != Idle && MayRound(O))
      if (Rewrite Active = ifNotIdle(O, Idle); any(Active))
        Tried.push_back(plain(Active));
  compileAll(Tried); // One that cannot be compiled is not worth a build.
  std::vector<Rewrite> Result, UnseenByPressure;
  for (const BuildRecipe &R : Tried) {
    Rewrite O = R.Rewrites;
    if (!Plain.count(R) || !MayFuse(O))
      continue;
    if (has(O, MemoryRewrites | Rewrite::SkipSLSR | Rewrite::WideProducts |
                   Rewrite::InlineCalls))
      UnseenByPressure.push_back(O);
    else if (Lowers(O, None))
      Result.push_back(O);
  }
  if (Result.size() == 2) {
    Rewrite Both = Result[0] | Result[1];
    if (compileAll(plain(Both)) && Lowers(Both, Result[0]) &&
        Lowers(Both, Result[1]) && MayFuse(Both))
      Result.push_back(Both);
  }
  stable_sort(Result, [&](Rewrite A, Rewrite B) {
    return PressureOf(A) < PressureOf(B);
  });
  append_range(Result, UnseenByPressure);
  return Result;
}

} // namespace regdem
