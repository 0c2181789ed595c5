//===- Outcome.cpp - what was decided for a kernel, and why ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Outcome.h"

#include "regdem/Decision/Builds/Objective.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

/// The first of Builds for which Is; null where there is none.
static const Build *find(ArrayRef<Build> Builds,
                         function_ref<bool(const Build &)> Is) {
  const Build *At = find_if(Builds, Is);
  return At == Builds.end() ? nullptr : At;
}

const Build *Outcome::stock() const {
  return find(Builds, [](const Build &V) { return V.What == Decision::Stock; });
}

const Build *Outcome::predictedBase() const {
  return find(Builds, [](const Build &V) { return V.Cycles > 0; });
}

Outcome freelyStock(Reason Why) {
  Outcome Result;
  Result.IsFree = true;
  Result.Why = Why;
  return Result;
}

Outcome settledOn(std::vector<Build> Tried, size_t I) {
  Outcome Result;
  Result.recipe() = Tried[I].recipe();
  Result.Builds = std::move(Tried);
  Result.Chosen = I;
  return Result;
}

std::optional<Outcome> statedOutcome(const KernelFacts &Facts,
                                     const Options &O) {
  if (O.RunMode == Mode::Off || !O.Stated)
    return std::nullopt;
  Outcome Result;
  Result.IsStated = true;
  Result.recipe() = *O.Stated;
  Obstacle Why = findObstacle(Facts, O);
  bool IsLegal = mayTryBuilds(Why, Facts, O) &&
                 (Why == Obstacle::None || Result.isLegalDespite(Why));
  Result.LeaveAlone = !IsLegal || Result.What == Decision::Stock;
  if (!IsLegal) {
    Result.Rewrites = Rewrite::None;
    Result.Order = InstOrder::Source;
  }
  return Result;
}

Options optionsUnder(const Options &O, const Outcome &Settled) {
  Options Result = O;
  if (Settled.MaxRegs || Settled.MinBlocks) {
    Result.MaxRegs = Settled.MaxRegs;
    Result.MinBlocks = Settled.MinBlocks;
  }
  return Result;
}

} // namespace regdem
