//===- Effort.h - how many builds a kernel may cost -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiling may cost is bounded in work, not in time, so that the result
// does not depend on the machine: ptxas takes the longer for a build the larger
// the kernel is, so that large kernels, and those of large files, get fewer.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_EFFORT_H
#define REGDEM_DECISION_CHOICE_EFFORT_H

#include "regdem/Decision/Builds/Recipe.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <optional>

namespace regdem {

struct Options;

/// The builds that a kernel may cost, stock included.
struct BuildLimit {
  /// As many, whatever their size, where the user says so.
  std::optional<unsigned> Builds;
  /// Machine instructions of all builds together, and as many builds in any
  /// case; 0: no limit.
  unsigned Work = 0, Least = 0;

  /// For a kernel whose stock build has so many machine instructions; 0: not
  /// known yet.
  unsigned mostBuilds(unsigned Instructions) const;
  /// Whether it allows stock and another build.
  bool allowsComparison() const { return !Builds || *Builds >= 2; }
  /// What search Index gets of it where the kernel has Count searches, whose
  /// builds are mostly the same: of stated builds a share, but two at least.
  BuildLimit shareOf(size_t Count, size_t Index) const;
};

/// Counts the builds of one search against Limit, which must outlive it.
class BuildCount {
public:
  explicit BuildCount(const BuildLimit &Limit) : Limit(Limit) {}

  /// How many may still be built.
  size_t left() const;
  /// The first of Wanted, as many as may still be built; they count as built.
  llvm::ArrayRef<BuildRecipe> take(llvm::ArrayRef<BuildRecipe> Wanted);
  /// Whether some of what was wanted may not.
  bool endedEarly() const { return EndedEarly; }

  unsigned StockInstructions = 0; ///< 0: not known yet.

private:
  const BuildLimit &Limit;
  size_t NumBuilt = 0;
  bool EndedEarly = false;
};

/// The limit of the kernel with Index of Count in a file. What others take, and
/// when, does not matter. HasCap: a cap is stated for it, for which everything
/// is tried that may pay unless the user asks for less.
BuildLimit limitFor(const Options &O, bool HasCap, size_t Count, size_t Index);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_EFFORT_H
