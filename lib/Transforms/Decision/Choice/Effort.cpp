//===- Effort.cpp - how many builds a kernel may cost ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Effort.h"

#include "regdem/Constants.h"
#include "regdem/Options.h"
#include <algorithm>
#include <limits>

namespace regdem {

unsigned BuildLimit::mostBuilds(unsigned Instructions) const {
  if (Builds)
    return *Builds;
  if (!Work || !Instructions)
    return std::numeric_limits<unsigned>::max();
  return std::max(Least, Work / Instructions);
}

/// The part of Number things with Index of Count.
static unsigned partOf(unsigned Number, size_t Count, size_t Index) {
  return static_cast<unsigned>(Number / Count + (Index < Number % Count));
}

BuildLimit BuildLimit::shareOf(size_t Count, size_t Index) const {
  BuildLimit Share = *this;
  if (Builds)
    Share.Builds = std::max(2u, partOf(*Builds, Count, Index));
  return Share;
}

size_t BuildCount::left() const {
  size_t Most = Limit.mostBuilds(StockInstructions);
  return Most > NumBuilt ? Most - NumBuilt : 0;
}

llvm::ArrayRef<BuildRecipe>
BuildCount::take(llvm::ArrayRef<BuildRecipe> Wanted) {
  if (Wanted.size() > left()) {
    EndedEarly = true;
    Wanted = Wanted.take_front(left());
  }
  NumBuilt += Wanted.size();
  return Wanted;
}

BuildLimit limitFor(const Options &O, bool HasCap, size_t Count, size_t Index) {
  BuildLimit Limit;
  if (O.Budget)
    Limit.Builds = partOf(*O.Budget, Count, Index);
  else if (O.Effort == EffortRange.Low)
    Limit.Builds = 1;
  if (Limit.Builds || O.Effort == EffortRange.High ||
      (HasCap && O.Effort == DefaultEffort))
    return Limit;
  // From so many kernels on, a file's share what that many get.
  size_t Sharing = std::max<size_t>(Count, Tuned.FullyTried);
  unsigned Part = O.Effort == DefaultEffort ? 1 : 4;
  auto Shared = [&](unsigned Number) {
    return static_cast<unsigned>(size_t(Number) * Tuned.FullyTried /
                                 (Sharing * Part));
  };
  Limit.Work = std::max(Shared(Tuned.BuildWork), 1u);
  Limit.Least = std::max(Shared(Tuned.LeastBuilds), 2u);
  return Limit;
}

} // namespace regdem
