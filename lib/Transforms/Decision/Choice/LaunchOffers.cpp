//===- LaunchOffers.cpp - builds that are worth their code ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/LaunchOffers.h"

#include "regdem/Decision/Builds/LaunchTable.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>

using namespace llvm;

namespace regdem {

namespace {

/// What a kernel has by now.
struct Taken {
  unsigned Builds = 0;
  SmallVector<double, 5> Gains; ///< By the best of them.
};

/// What launches save by Offer beyond what they save already.
double gainBeyond(const Taken &Has, const LaunchOffer &Offer) {
  double Sum = 0;
  for (auto [I, Gain] : enumerate(Offer.Gains))
    Sum += std::max(Gain - (Has.Builds ? Has.Gains[I] : 0), 0.0);
  return Sum;
}

void take(Taken &Has, const LaunchOffer &Offer) {
  if (!Has.Builds++)
    Has.Gains = Offer.Gains;
  for (auto [Gain, Its] : zip_equal(Has.Gains, Offer.Gains))
    Gain = std::max(Gain, Its);
}

} // namespace

KeptOffers keepWorthMost(ArrayRef<LaunchOffer> Offers, uint64_t Room) {
  std::map<size_t, Taken> Kernels;
  std::vector<bool> IsKept(Offers.size());
  KeptOffers Result;
  for (std::optional<size_t> Best;; Best.reset()) {
    double Most = 0;
    Result.TooLarge.clear();
    for (auto [I, Offer] : enumerate(Offers)) {
      const Taken &Has = Kernels[Offer.Kernel];
      double Gain = gainBeyond(Has, Offer);
      if (IsKept[I] || Has.Builds == MostLaunchBuilds || !(Gain > 0))
        continue;
      if (Offer.Bytes > Room) {
        Result.TooLarge.push_back(I);
      } else if (double Worth = Gain / std::max<uint64_t>(Offer.Bytes, 1);
                 Worth > Most) {
        Best = I;
        Most = Worth;
      }
    }
    if (!Best)
      break;
    IsKept[*Best] = true;
    take(Kernels[Offers[*Best].Kernel], Offers[*Best]);
    Room -= Offers[*Best].Bytes;
  }
  for (size_t I = 0; I != Offers.size(); ++I)
    if (IsKept[I])
      Result.Kept.push_back(I);
  return Result;
}

} // namespace regdem
