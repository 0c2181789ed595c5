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

/// The part of Number things with Index of Count.
static unsigned partOf(unsigned Number, size_t Count, size_t Index) {
  return static_cast<unsigned>(Number / Count + (Index < Number % Count));
}

bool BuildLimit::pay(unsigned Cost) {
  if (Builds && *Builds < Cost + 2)
    return false;
  if (Builds)
    *Builds -= Cost;
  return true;
}

PaidBuilds::PaidBuilds(const BuildLimit &Limit)
    : Left(Limit.Builds.value_or(std::numeric_limits<unsigned>::max())) {}

PaidBuilds::Share::Share(PaidBuilds &Of, bool IsLast)
    : Of(Of), Left(IsLast ? Of.Left : std::max<size_t>(Of.Left / 2, 2)) {}

std::vector<BuildRecipe>
PaidBuilds::Share::take(llvm::ArrayRef<BuildRecipe> Wanted, unsigned Threads) {
  std::vector<BuildRecipe> Taken;
  for (const BuildRecipe &R : Wanted) {
    std::pair Key(R, R.addsShared() ? Threads : 0);
    if (!Of.Paid.count(Key)) {
      if (!left()) {
        EndedEarly = true;
        continue;
      }
      --Left;
      --Of.Left;
      Of.Paid.insert(Key);
    }
    Taken.push_back(R);
  }
  return Taken;
}

/// How many times as much work as compiling the file without RegDem all builds
/// may be; none: no bound.
static std::optional<double> timesOf(const Options &O, bool HasCap) {
  switch (O.Effort) {
  case EffortRange.Low:
    return 0;
  case EffortRange.High:
    return std::nullopt;
  case DefaultEffort:
    return HasCap ? 2 * Tuned.TimesOfFile : Tuned.TimesOfFile;
  default:
    return Tuned.TimesOfFile / 4;
  }
}

BuildLimit limitFor(const Options &O, bool HasCap, const FileWork &Work,
                    size_t Count, size_t Index) {
  if (O.Budget)
    return {partOf(*O.Budget, Count, Index)};
  std::optional<double> Times = timesOf(O, HasCap);
  if (!Times)
    return {};
  if (*Times == 0)
    return {1};
  double OfFile = *Times * (Tuned.WorkBesideKernels + Work.All);
  auto OfEach = static_cast<unsigned>(OfFile / std::max(1u, Work.Searched));
  return {std::max(2u, OfEach)};
}

} // namespace regdem
