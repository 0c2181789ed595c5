//===- Decide.h - the decision for one kernel -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_DECIDE_H
#define REGDEM_DECISION_DECIDE_H

#include "regdem/Decision/DemotionPlan.h"
#include "regdem/Decision/Objective.h"
#include "regdem/Decision/Outcome.h"

namespace regdem {

/// A choice among variants of a kernel for which nobody states a cap.
struct FreeChoice {
  Decision What = Decision::Stock;
  unsigned MaxRegs = 0;   ///< As in Variant.
  unsigned MinBlocks = 0; ///< As in Variant.
  Reason Why = Reason::StockFastest;
  std::optional<Prediction> Predicted;
};

/// What trying variants with an assembler, or a profile, has settled for a
/// kernel.
struct Settled : BuildRecipe {
  /// Cap in registers and in blocks per SM, in the place of what the options
  /// state; the kernel's own bounds hold besides. ptxas is told the blocks
  /// where they are given. 0 and 0: as stated.
  unsigned MaxRegs = 0, MinBlocks = 0;
  /// The kernel is to be as the stock compiler builds it, whatever is stated:
  /// because the assembler could not be used, or for comparison.
  bool LeaveAlone = false;
  /// A profile names this variant; no assembler was asked for a better one.
  bool FromProfile = false;
  /// Set where nobody states a cap.
  std::optional<FreeChoice> Free;
  std::vector<Variant> Variants;

  /// Whether the stock build is the chosen one of Variants, or none is.
  bool choosesStock() const;

  /// Whether this can be built although Why stands in the way of some builds:
  /// what takes shared memory needs to know how much is left and how many
  /// threads share it, and blocks per SM cannot be stated without threads.
  bool isLegalDespite(Obstacle Why) const {
    bool TakesShared =
        Target || SmemSpilling || (Free && Free->What == Decision::Demote);
    bool StatesBlocks = MinBlocks || (Free && Free->MinBlocks);
    return !TakesShared && (Why != Obstacle::UnknownBlockSize || !StatesBlocks);
  }
};

/// What is settled by choosing variant I of all that were tried.
Settled settledOn(std::vector<Variant> Tried, size_t I);

/// Whether a kernel in whose way Why stands may be built otherwise than stock:
/// in all ways where nothing does, and in those that take no shared memory
/// where no more than the block size or the size of its dynamic shared memory
/// is missing and nobody states a cap.
bool mayTryBuilds(Obstacle Why, const KernelFacts &Facts, const Options &O);

/// O with the cap that S settles, if it settles one.
Options optionsUnder(const Options &O, const Settled &S);

struct KernelDecision {
  Outcome Result;
  Objective Goal;
  DemotionPlan Plan; ///< Empty unless the decision is Demote.
};

/// Decides for the kernel with these Facts whose code is Graph. FromVariants
/// is null where no assembler was asked; then the estimate stands in. Without:
/// what LLVM has left out of the code by now.
KernelDecision decide(const KernelFacts &Facts, const Options &O,
                      const KernelGraph &Graph, const Settled *FromVariants,
                      Omission Without);

} // namespace regdem

#endif // REGDEM_DECISION_DECIDE_H
