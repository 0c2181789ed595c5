//===- Launch.cpp - the launches that builds are for ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Launch.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>

namespace regdem {

Launch statedLaunch(const KernelFacts &Facts, const Options &O) {
  return {Facts.Threads, O.DynamicSmem.value_or(0)};
}

llvm::SmallVector<unsigned, 6> launchSizes(const KernelFacts &Facts) {
  llvm::SmallVector<unsigned, 6> Sizes(std::begin(LaunchBuildSizes),
                                       std::end(LaunchBuildSizes));
  if (!Facts.knowsBlockSize())
    return Sizes;
  bool IsBound = Facts.ThreadsFrom != BlockSizeSource::ReqNTID &&
                 Facts.ThreadsFrom != BlockSizeSource::Launch;
  llvm::erase_if(Sizes, [&](unsigned Threads) {
    return !IsBound || Threads >= Facts.Threads;
  });
  Sizes.insert(Sizes.begin(), Facts.Threads);
  return Sizes;
}

Occupancy occupancyAt(const Launch &L, unsigned Regs, uint64_t StaticShared,
                      const SMLimits &Limits) {
  return computeOccupancy(
      Limits,
      {Regs, L.Threads, static_cast<unsigned>(StaticShared), L.DynamicShared});
}

} // namespace regdem
