//===- Effort.cpp - how many builds a kernel may cost ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Effort.h"

#include "regdem/Constants.h"
#include "regdem/Decision/Builds/Build.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

bool payFrom(unsigned &Limit, unsigned Cost) {
  if (Limit < Cost + BuildsToCompare)
    return false;
  Limit -= Cost;
  return true;
}

PaidBuilds::Share::Share(PaidBuilds &Of, bool IsLast)
    : Of(Of),
      Left(IsLast ? Of.Left : std::max<size_t>(Of.Left / 2, BuildsToCompare)) {}

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
                                                 const KernelFacts &Facts) {
  std::vector<BuildRecipe> Taken;
  for (const BuildRecipe &R : Wanted) {
    std::pair Key(R, threadsFor(R, Facts));
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
  return O.Budget ? *O.Budget >= BuildsToCompare : O.Effort != EffortRange.Low;
}

/// The limits of Count kernels that share N builds, in order.
static std::vector<unsigned> shared(unsigned N, size_t Count) {
  std::vector<unsigned> Limits(Count);
  for (size_t I = 0; I != Count; ++I)
    Limits[I] = static_cast<unsigned>(N / Count + (I < N % Count));
  return Limits;
}

std::vector<unsigned> limitsFor(const Options &O, unsigned FileInstructions,
                                ArrayRef<KernelWork> Kernels) {
  if (!comparesBuilds(O))
    return std::vector<unsigned>(Kernels.size(), 1);
  if (O.Budget)
    return shared(*O.Budget, Kernels.size());
  std::optional<double> Times = timesOf(O);
  if (!Times)
    return std::vector<unsigned>(Kernels.size(), AnyBuilds);
  auto WorkOf = [](const KernelWork &K) {
    return Tuned.WorkBesideBuild + K.Instructions;
  };
  bool IsAskedFor = any_of(Kernels, [](KernelWork K) { return K.IsAskedFor; });
  double Left = (IsAskedFor ? 2 : 1) * *Times *
                (Tuned.WorkBesideKernels + FileInstructions);
  std::vector<unsigned> Limits(Kernels.size()); // 0: not given yet.
  // Divides what is left among the kernels that Has is true of; false where
  // that is less than two builds for one of them.
  auto Divide = [&](function_ref<bool(const KernelWork &)> Has) {
    auto SharesOf = [](const KernelWork &K) { return K.GainsMost ? 2 : 1; };
    double OfOneEach = 0, Used = 0;
    for (const KernelWork &K : Kernels)
      OfOneEach += Has(K) ? SharesOf(K) * WorkOf(K) : 0;
    std::vector<unsigned> Given(Kernels.size());
    for (auto [Limit, K] : zip_equal(Given, Kernels)) {
      if (!Has(K))
        continue;
      Limit = static_cast<unsigned>(SharesOf(K) * Left / OfOneEach);
      if (Limit < BuildsToCompare)
        return false;
      Used += Limit * WorkOf(K);
    }
    Limits = std::move(Given);
    Left -= Used;
    return true;
  };
  if (Divide([](const KernelWork &) { return true; }))
    return Limits;
  Divide([](const KernelWork &K) { return K.IsShown; });
  auto Order = to_vector(seq<size_t>(0, Kernels.size()));
  stable_sort(Order, [Kernels](size_t A, size_t B) {
    return std::pair(Kernels[A].GainsMost, Kernels[A].Instructions) >
           std::pair(Kernels[B].GainsMost, Kernels[B].Instructions);
  });
  for (size_t I : Order)
    if (!Limits[I]) {
      Left -= BuildsToCompare * WorkOf(Kernels[I]);
      Limits[I] = Left >= 0 ? BuildsToCompare : 1;
    }
  return Limits;
}

} // namespace regdem
