//===- Effort.cpp - how many builds a kernel may cost ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Effort.h"

#include "regdem/Constants.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <limits>

using namespace llvm;

namespace regdem {

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

bool PaidBuilds::Share::pay(unsigned Cost) {
  if (left() <= Cost) {
    EndedEarly = true;
    return false;
  }
  Left -= Cost;
  Of.Left -= Cost;
  return true;
}

std::vector<BuildRecipe> PaidBuilds::Share::take(ArrayRef<BuildRecipe> Wanted,
                                                 unsigned Threads) {
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
static std::optional<double> timesOf(const Options &O) {
  switch (O.Effort) {
  case EffortRange.High:
    return std::nullopt;
  case DefaultEffort:
    return Tuned.TimesOfFile;
  default:
    return Tuned.TimesOfFile / 4;
  }
}

bool comparesBuilds(const Options &O) {
  return O.Budget ? *O.Budget >= 2 : O.Effort != EffortRange.Low;
}

/// The limits of Count kernels that share N builds, in order.
static std::vector<BuildLimit> shared(unsigned N, size_t Count) {
  std::vector<BuildLimit> Limits(Count);
  for (size_t I = 0; I != Count; ++I)
    Limits[I].Builds = static_cast<unsigned>(N / Count + (I < N % Count));
  return Limits;
}

std::vector<BuildLimit> limitsFor(const Options &O, unsigned FileInstructions,
                                  ArrayRef<KernelWork> Kernels) {
  if (!comparesBuilds(O))
    return std::vector<BuildLimit>(Kernels.size(), BuildLimit{1});
  if (O.Budget)
    return shared(*O.Budget, Kernels.size());
  std::optional<double> Times = timesOf(O);
  if (!Times)
    return std::vector<BuildLimit>(Kernels.size());
  auto WorkOf = [&](size_t I) {
    return Tuned.WorkBesideBuild + Kernels[I].Instructions;
  };
  std::vector<BuildLimit> Limits(Kernels.size());
  double OfFile = *Times * (Tuned.WorkBesideKernels + FileInstructions);
  double OfOneEach = 0;
  for (size_t I = 0; I != Kernels.size(); ++I)
    OfOneEach += WorkOf(I);
  auto Each = static_cast<unsigned>(OfFile / OfOneEach);
  for (auto [L, K] : zip_equal(Limits, Kernels))
    L.Builds = K.IsCapped ? std::max(2 * Each, 2u) : std::max(Each, 1u);
  if (Each >= 2)
    return Limits;
  auto Largest = to_vector(seq<size_t>(0, Kernels.size()));
  stable_sort(Largest, [&](size_t A, size_t B) {
    return Kernels[A].Instructions > Kernels[B].Instructions;
  });
  for (size_t I : Largest) {
    OfFile -= 2 * WorkOf(I);
    if (OfFile < 0)
      break;
    Limits[I].Builds = 2;
  }
  return Limits;
}

} // namespace regdem
