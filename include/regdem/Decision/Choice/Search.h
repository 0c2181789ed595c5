//===- Search.h - the one search for the fastest build ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds of a kernel are made, compared, and the fastest is settled on:
//
//   1. stock; where its registers cost neither blocks nor spill code, that is
//      mostly all
//   2. rewrites of the code whose worth only a prediction shows
//   3. caps: the one that is stated or, where none is, occupancy steps. A few
//      builds are made at each (Step.h), all that there are at a stated one and
//      at the fastest
//   4. choice: Choose.h
//
// The search knows nothing of how builds are made: they come from a
// BuildSource.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_SEARCH_H
#define REGDEM_DECISION_CHOICE_SEARCH_H

#include "regdem/Decision/Builds/NotedLaunches.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Model/CostModel.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

/// Makes builds of one kernel.
class BuildSource {
public:
  virtual ~BuildSource() = default;

  /// A build for each recipe of Wanted, with what ptxas says of it, which may
  /// be that it refuses it; none when a tool fails. The first ones only where
  /// that is all that the budget allows.
  virtual std::optional<std::vector<Build>>
  make(llvm::ArrayRef<BuildRecipe> Wanted) = 0;

  /// How many make() still makes.
  virtual size_t left() const = 0;

  /// Made, which make() has returned, with their machine code, in their order;
  /// after them, what those are with their frames moved of which that is
  /// expected to pay. None when the code of one cannot be read.
  virtual std::optional<std::vector<ReadBuild>>
  read(llvm::ArrayRef<Build> Made) = 0;

  /// Of Single, and where two of them help, of both together: what is worth a
  /// build and leaves the kernel's results as they are, the least pressure
  /// first.
  virtual std::vector<Rewrite> worthwhile(llvm::ArrayRef<Rewrite> Single) = 0;

  /// Register words before ptxas of what make() may be asked for next; none
  /// where one cannot be compiled.
  virtual std::optional<std::vector<unsigned>>
  pressures(llvm::ArrayRef<BuildRecipe> Wanted) = 0;
};

/// What a search is to answer. Facts, O and Limits must outlive it; Limits must
/// be those of Facts.Arch.
struct Question {
  const KernelFacts &Facts;
  const Options &O;
  const SMLimits &Limits;
  /// The cap that is stated; none: as many registers as are best.
  std::optional<Objective> Cap;
  /// Register words of the stock build before ptxas.
  unsigned Pressure = 0;
  /// ptxas may be asked to spill to shared memory by itself.
  bool MaySpillToShared = false;
  /// Frames that ptxas leaves in local memory may move after it.
  bool MovesFrames = false;
  /// Those of MemoryRewrites that change the kernel.
  Rewrite OfMemory = Rewrite::None;
  /// Builds are for all launches that Facts allow, not for the stated one.
  bool IsForAnyLaunch = false;
  bool MayOrder = true;  ///< Builds may differ in the order of instructions.
  bool MayDemote = true; ///< Values may be demoted.
  /// What the kernel is built as for all other launches, where that is not
  /// stock: it is compared as well.
  std::optional<BuildRecipe> InPlace = std::nullopt;
  /// Of the stated launch; null: none was noted.
  const NotedLaunches *Noted = nullptr;

  /// Whether builds are for the stated launch only: those under a stated cap
  /// are.
  bool knowsLaunch() const {
    return Cap || (Facts.knowsLaunch() && !IsForAnyLaunch);
  }
  /// What limits V, as ptxas built it, at the stated launch.
  Occupancy occupancyOf(const Build &V) const;
};

/// Whether the pressure alone shows that registers cost the stock build
/// neither occupancy nor spill code. It is an estimate: ptxas takes more
/// registers than the pressure to have loads in flight. Over the kernels of
/// benchmarks/ with at most 80 words it took up to 1.6 times as many; the
/// answer is yes where twice as many do not matter, and no where the kernel
/// calls functions, of whose registers its own pressure says nothing.
bool isSurelyNotLimited(const Question &Q);

/// The same whatever the block size, for a kernel of Pressure words that does
/// not state it: all the threads that an SM can have find registers.
bool isNeverLimited(const KernelFacts &Facts, unsigned Pressure,
                    const SMLimits &Limits);

/// Has From make builds and settles on one. The result's builds are in the
/// order in which they were made, stock first, the chosen one marked. Where
/// code cannot be read, that is stock or, under a cap, the cap alone. None when
/// a tool fails, or ptxas refuses the stock build or all that keep to the cap.
std::optional<Outcome> search(const Question &Q, BuildSource &From);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_SEARCH_H
