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
#include <limits>
#include <numeric>
#include <tuple>

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

void PaidBuilds::Share::spend(unsigned Cost) {
  Left -= Cost;
  Of.Left -= Cost;
  Spent += Cost;
}

bool PaidBuilds::Share::pay(unsigned Cost) {
  if (left() <= Cost) {
    EndedEarly = true;
    return false;
  }
  spend(Cost);
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
      spend(1);
      Of.Paid.insert(Key);
    }
    Taken.push_back(R);
  }
  return Taken;
}

bool comparesBuilds(const Options &O) {
  return O.Budget ? *O.Budget >= BuildsToCompare : O.Effort != EffortRange.Low;
}

/// What level O allows of what DefaultEffort does.
static double shareOf(const Options &O) {
  switch (O.Effort) {
  case EffortRange.High:
    return std::numeric_limits<double>::infinity();
  case DefaultEffort:
    return 1;
  case EffortRange.Low:
    return 0;
  default:
    return 1.0 / 4;
  }
}

/// The limits of Count kernels that share N builds, in order.
static std::vector<unsigned> shared(unsigned N, size_t Count) {
  std::vector<unsigned> Limits(Count);
  for (size_t I = 0; I != Count; ++I)
    Limits[I] = static_cast<unsigned>(N / Count + (I < N % Count));
  return Limits;
}

double workOfBuild(const KernelWork &K) {
  return Tuned.WorkBesideBuild + K.Instructions;
}

FileBudget::FileBudget(const Options &O, unsigned FileInstructions,
                       ArrayRef<KernelWork> Kernels)
    : Builds(O.Budget) {
  double Unknown = 0;
  for (const KernelWork &K : Kernels)
    if (K.IsUnknown)
      Unknown += K.Instructions;
  // Kernels may have functions in common.
  Unknown = std::min<double>(Unknown, FileInstructions);
  bool IsAskedFor = any_of(Kernels, [](KernelWork K) { return K.IsAskedFor; });
  double Times = shareOf(O) * (IsAskedFor ? 2 : 1);
  double Known = Tuned.WorkBesideKernels + FileInstructions - Unknown;
  Work[false] = Times * Tuned.TimesOfFile * (Known + Unknown);
  Work[true] =
      Times * (Tuned.TimesOfFile * Known + Tuned.TimesOfUnknown * Unknown);
}

std::vector<size_t> FileBudget::order(ArrayRef<KernelWork> Kernels) {
  std::vector<size_t> Order(Kernels.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  auto Rank = [Kernels](size_t I) {
    const KernelWork &K = Kernels[I];
    return std::tuple(K.IsShown, K.GainsMost, K.Instructions);
  };
  stable_sort(Order, [&](size_t A, size_t B) { return Rank(A) > Rank(B); });
  return Order;
}

/// Takes Used off what is left for kernels of either kind.
static void spend(std::array<double, 2> &Left, double Used) {
  for (double &L : Left)
    L -= Used;
}

bool FileBudget::reserve(const KernelWork &K) {
  double Wanted = BuildsToCompare * workOfBuild(K);
  if (!Builds && Reserved + Wanted > Work[K.IsUnknown])
    return false;
  Reserved += Wanted;
  return true;
}

void FileBudget::release(const KernelWork &K) {
  Reserved -= BuildsToCompare * workOfBuild(K);
  spend(Work, Tuned.WorkOfCode * K.Instructions);
}

std::vector<unsigned> FileBudget::limits(ArrayRef<KernelWork> Kernels) const {
  if (Builds)
    return shared(*Builds, Kernels.size());
  std::array<double, 2> Left = Work;
  std::vector<unsigned> Limits(Kernels.size()); // 0: not given yet.
  // Divides what is left among the kernels that Has is true of; false where
  // that is less than two builds for one of them.
  auto Divide = [&](function_ref<bool(const KernelWork &)> Has) {
    auto SharesOf = [](const KernelWork &K) { return K.GainsMost ? 2 : 1; };
    double OfOneEach = 0, Used = 0;
    for (const KernelWork &K : Kernels)
      OfOneEach += Has(K) ? SharesOf(K) * workOfBuild(K) : 0;
    std::vector<unsigned> Given(Kernels.size());
    for (auto [Limit, K] : zip_equal(Given, Kernels)) {
      if (!Has(K))
        continue;
      Limit = static_cast<unsigned>(std::min<double>(
          SharesOf(K) * std::max(Left[K.IsUnknown], 0.0) / OfOneEach,
          AnyBuilds));
      if (Limit < BuildsToCompare)
        return false;
      Used += Limit * workOfBuild(K);
    }
    Limits = std::move(Given);
    spend(Left, Used);
    return true;
  };
  if (Divide([](const KernelWork &) { return true; }))
    return Limits;
  Divide([](const KernelWork &K) { return K.IsShown; });
  for (size_t I : order(Kernels))
    if (!Limits[I]) {
      spend(Left, BuildsToCompare * workOfBuild(Kernels[I]));
      Limits[I] = Left[Kernels[I].IsUnknown] >= 0 ? BuildsToCompare : 1;
    }
  return Limits;
}

} // namespace regdem
