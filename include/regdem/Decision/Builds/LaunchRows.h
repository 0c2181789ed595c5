//===- LaunchRows.h - the launches that a build is for ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds are decided for a few block sizes. Which launches of other shapes they
// suit follows from occupancy alone: nothing is built or predicted here.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_LAUNCHROWS_H
#define REGDEM_DECISION_BUILDS_LAUNCHROWS_H

#include "regdem/Decision/Builds/LaunchTable.h"
#include "regdem/Decision/Builds/Outcome.h"

namespace regdem {

/// A build that was chosen over its kernel's stock build at a launch, with
/// figures for that. Both have blocks on an SM.
struct LaunchChoice {
  Launch At;
  Build Chosen, Stock;
  double Gain = 0;         ///< Expected share of the stock build's time.
  bool HasDynamic = false; ///< Launches may have dynamic shared memory.
  bool MayWait = false;    ///< As LaunchRow::MayWait.
  bool IsBest = true;      ///< It is what the search has chosen there.
};

/// Whether V is so much faster than Stock on full SMs that launches take it:
/// the kernel itself is at hand, and launches differ from those predicted.
bool paysAtLaunch(const Build &V, const Build &Stock);

/// A gain in grids that give an SM so many blocks.
struct SmallGrid {
  unsigned OnSM = 0; ///< 0: there is none.
  double Gain = 0;   ///< The share of the stock build's time.
};

/// Where V gains most over Stock, enough for launches to take it, among grids
/// that do not fill SMs or that V takes a round of blocks less for: those of
/// one block, and those of which an SM holds all of V's, but not of Stock's.
/// Both are predicted alone on an SM, or there is none.
SmallGrid bestSmallGrid(const Build &V, const Build &Stock);

/// Expected cycles of so many blocks of V on one SM: full rounds, then the
/// rest, which takes as long as a round where IsWorst, as it does if blocks
/// wait for what each of them fetches. Dispatcher.c does the same.
double cyclesFor(const Build &V, unsigned OnSM, bool IsWorst);

/// The share of Stock's time that V saves where that makes launches take it: on
/// full SMs or else in the best small grid. 0: nowhere.
double gainAtLaunch(const Build &V, const Build &Stock);

/// Whether V may stand in Stock's place as far as launches of one block size
/// go, for which both have been predicted full and alone: it can be launched
/// with whatever Stock can, takes no more shared memory, and is no slower in
/// any grid. Only with a smaller frame may it spill more, or have fewer blocks.
bool mayReplace(const Build &V, const Build &Stock, const SMLimits &Limits);
/// All of that but the time.
bool mayReplaceByFigures(const Build &V, const Build &Stock,
                         const SMLimits &Limits);

/// The rows for launches with as many warps as C has, and no more threads, for
/// build number 1. Limits must be those of its architecture. The first one is
/// for as much dynamic shared memory as leaves the build its blocks; further
/// ones are for more of it, with fewer blocks, as long as that pays.
std::vector<LaunchRow> rowsFor(const LaunchChoice &C, const SMLimits &Limits);

/// V at the launch of C, as far as it is known from another launch, at which V
/// and Stock are predicted: it takes as much of the stock build's time, alone
/// on an SM as on a full one where nothing is known of that.
Build asPredictedElsewhere(const LaunchChoice &C, Build V, const Build &Stock,
                           const SMLimits &Limits);

/// The rows for launches with more warps than Low and fewer than High has, of
/// both of which the same build was chosen. They leave out where the build
/// would have fewer blocks on an SM for each of stock's than in both Low and
/// High. None where ptxas spills to shared memory.
std::vector<LaunchRow> rowsBetween(const LaunchChoice &Low,
                                   const LaunchChoice &High,
                                   const SMLimits &Limits);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_LAUNCHROWS_H
