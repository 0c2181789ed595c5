//===- StatedCap.cpp - caps of kernels that are not demoted ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/StatedCap.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Options.h"
#include "regdem/Target/Occupancy.h"
#include "regdem/Target/SMLimits.h"

namespace regdem {

bool mayTryBuilds(Obstacle Why, const KernelFacts &Facts, const Options &O) {
  if (Why == Obstacle::None)
    return true;
  if (Why != Obstacle::UnknownBlockSize &&
      Why != Obstacle::UnknownDynamicShared)
    return false;
  // How many registers so many blocks leave a thread is not known.
  if (O.MinBlocks && !Facts.knowsBlockSize())
    return false;
  // Such a kernel's architecture is known.
  return O.RunMode == Mode::Auto ||
         statedObjective(Facts, O, *lookupSMLimits(Facts.Arch));
}

bool statesNewCap(const KernelFacts &Facts, const Options &O) {
  if (!O.MaxRegs && !O.MinBlocks)
    return false;
  const SMLimits *Limits = lookupSMLimits(Facts.Arch);
  if (!Limits)
    return O.MinBlocks || !Facts.MaxRegs || O.MaxRegs < Facts.MaxRegs;
  if (O.MinBlocks && (!Facts.knowsBlockSize() ||
                      !maxRegsForBlocks(*Limits, Facts.Threads, O.MinBlocks)))
    return true;
  std::optional<Objective> Stated = statedObjective(Facts, O, *Limits);
  return Stated && Stated->CapIsNew;
}

std::optional<Objective> capDespite(Obstacle Why, const KernelFacts &Facts,
                                    const Options &O) {
  switch (Why) {
  case Obstacle::UnknownArch:
  case Obstacle::AsyncRegisters:
  case Obstacle::AsmShared:
  case Obstacle::UnknownBlockSize:
  case Obstacle::UnknownDynamicShared:
  case Obstacle::TooManyBlocks:
    break;
  default: // ptxas stops, or may make wrong code, or does not optimize.
    return std::nullopt;
  }
  // Functions that it calls may need more registers.
  if (Facts.HasCalls || !statesNewCap(Facts, O))
    return std::nullopt;
  if (const SMLimits *Limits = lookupSMLimits(Facts.Arch)) {
    std::optional<Objective> Stated = statedObjective(Facts, O, *Limits);
    return Stated && Stated->CapIsNew ? Stated : std::nullopt;
  }
  if (!O.MaxRegs)
    return std::nullopt;
  Objective Result;
  Result.MaxRegs = O.MaxRegs;
  Result.CapIsNew = true;
  return Result;
}

} // namespace regdem
