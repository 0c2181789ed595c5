//===- Settled.h - what is settled for a kernel -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What trying variants, or a profile, says of how a kernel is built. It is made
// before code generation and handed on to the machine pass, which decides by it
// (Decide.h).
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_SETTLED_H
#define REGDEM_DECISION_BUILDS_SETTLED_H

#include "regdem/Decision/Builds/Outcome.h"

namespace regdem {

/// What trying variants with an assembler, or a profile, has settled for a
/// kernel: the recipe of the build to make. Its cap stands in the place of what
/// the options state; the kernel's own bounds hold besides. Without one, what
/// is stated holds.
struct Settled : BuildRecipe {
  /// The kernel is to be as the stock compiler builds it, whatever is stated:
  /// because the assembler could not be used, or for comparison.
  bool LeaveAlone = false;
  /// A profile names this variant; no assembler was asked for a better one.
  bool FromProfile = false;
  /// Its share of Options::Budget was used up before the search was done.
  bool EndedEarly = false;
  /// Nobody states a cap: the recipe was chosen, for the reason Why.
  bool IsFree = false;
  Reason Why = Reason::StockFastest;
  std::optional<Prediction> Predicted;
  std::vector<Variant> Variants;
  std::vector<LaunchRow> Launches;         ///< As in Outcome.
  std::optional<UnboundedBuild> Unbounded; ///< As in Outcome.

  /// Whether the stock build is the chosen one of Variants, or none is.
  bool choosesStock() const;

  /// Whether this can be built although Why stands in the way of some builds:
  /// what takes shared memory needs to know how much is left and how many
  /// threads share it, and blocks per SM cannot be stated without threads.
  bool isLegalDespite(Obstacle Why) const {
    bool TakesShared = What == Decision::Demote || SmemSpilling;
    return !TakesShared && (Why != Obstacle::UnknownBlockSize || !MinBlocks);
  }
};

/// The stock build, for the reason Why, where nobody states a cap.
Settled freelyStock(Reason Why);

/// What is settled by choosing variant I of all that were tried.
Settled settledOn(std::vector<Variant> Tried, size_t I);

/// O with the cap that S settles, if it settles one.
Options optionsUnder(const Options &O, const Settled &S);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_SETTLED_H
