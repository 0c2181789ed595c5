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

KeptOffers keepWorthMost(ArrayRef<LaunchOffer> Offers, uint64_t Room) {
  /// What a kernel has by now.
  struct Taken {
    unsigned Builds = 0;
    SmallVector<double, 5> Gains; ///< By the best of them.
  };
  std::map<size_t, Taken> Kernels;
  KeptOffers Result;
  for (std::optional<size_t> Best;; Best.reset()) {
    double Most = 0;
    Result.TooLarge.clear();
    for (auto [I, Offer] : enumerate(Offers)) {
      Taken &Has = Kernels[Offer.Kernel];
      Has.Gains.resize(Offer.Gains.size());
      double Gain = 0; // Beyond what the kernel has: of what is kept, none.
      for (auto [Its, Now] : zip_equal(Offer.Gains, Has.Gains))
        Gain += std::max(Its - Now, 0.0);
      if (Has.Builds == MostLaunchBuilds || !(Gain > 0))
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
    Taken &Has = Kernels[Offers[*Best].Kernel];
    ++Has.Builds;
    for (auto [Its, Now] : zip_equal(Offers[*Best].Gains, Has.Gains))
      Now = std::max(Now, Its);
    Room -= Offers[*Best].Bytes;
    Result.Kept.push_back(*Best);
  }
  llvm::sort(Result.Kept);
  return Result;
}

} // namespace regdem
