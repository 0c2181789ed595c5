//===- Build.cpp - a kernel built in one way ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Build.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Decision/Builds/LaunchTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace regdem {

Launch statedLaunch(const KernelFacts &Facts, const Options &O) {
  return {Facts.Threads, O.DynamicSmem.value_or(0)};
}

bool mayShareArrays(const KernelFacts &Facts) {
  if (!Facts.launchesAddShared())
    return Facts.knowsBlockSize();
  return Facts.Shown.areAll() && Facts.Shown.Threads.size() <= MostLaunchBuilds;
}

bool mayShareArrays(const BuildRecipe &R, const KernelFacts &Facts) {
  return has(R.Rewrites, Rewrite::LowerArrays) && mayShareArrays(Facts);
}

unsigned threadsFor(const BuildRecipe &R, const KernelFacts &Facts) {
  bool IsForOneSize = R.addsShared() || mayShareArrays(R, Facts);
  return Facts.launchesAddShared() && IsForOneSize ? Facts.Threads : 0;
}

llvm::SmallVector<unsigned, 6> launchSizes(const KernelFacts &Facts,
                                           bool AsShown) {
  const ShownLaunches &Shown = Facts.Shown;
  bool AreAll = AsShown && Shown.areAll();
  llvm::SmallVector<unsigned, 6> Sizes;
  auto Add = [&Sizes](unsigned Threads) {
    Threads = leastThreadsLike(Threads) + 31; // Full warps.
    if (!llvm::is_contained(Sizes, Threads))
      Sizes.push_back(Threads);
  };
  llvm::for_each(Shown.Threads, Add);
  if (!AreAll)
    llvm::for_each(LaunchBuildSizes, Add);
  if (!Facts.knowsBlockSize())
    return Sizes;
  bool IsBound = Facts.ThreadsFrom != BlockSizeSource::ReqNTID &&
                 Facts.ThreadsFrom != BlockSizeSource::Launch;
  llvm::erase_if(Sizes, [&](unsigned Threads) {
    return !IsBound || Threads > Facts.Threads;
  });
  if ((!AreAll || Sizes.empty()) && !llvm::is_contained(Sizes, Facts.Threads))
    Sizes.insert(Sizes.begin(), Facts.Threads);
  return Sizes;
}

Occupancy occupancyAt(const Launch &L, unsigned Regs, uint64_t StaticShared,
                      const SMLimits &Limits) {
  return computeOccupancy(
      Limits,
      {Regs, L.Threads, static_cast<unsigned>(StaticShared), L.DynamicShared});
}

BuildRecipe ownLimit(const Build &Stock, const SMLimits &Limits) {
  BuildRecipe R;
  R.What = Decision::Cap;
  unsigned Unit = Limits.RegisterUnitPerWarp / Limits.WarpSize;
  R.MaxRegs = static_cast<unsigned>(llvm::alignTo(Stock.Regs, Unit));
  return R;
}

unsigned mostLaunchable(const Build &Stock, const SMLimits &Limits) {
  KernelResources OneWarp = {Stock.Regs, Limits.WarpSize, 0, 0};
  unsigned Warps = computeOccupancy(Limits, OneWarp).BlocksByRegisters;
  return maxRegsForBlocks(
      Limits, std::min(Warps * Limits.WarpSize, Limits.MaxThreadsPerBlock), 1);
}

Residency residencyAt(const Launch &L, const Build &V, const SMLimits &Limits) {
  Residency R;
  R.BlocksPerSM = occupancyAt(L, V.Regs, V.StaticShared, Limits).BlocksPerSM;
  // The driver carves shared memory out for as many blocks as fit.
  R.L1Bytes = l1Bytes(Limits, V.StaticShared + L.DynamicShared, R.BlocksPerSM);
  if (L.GridBlocks)
    R.BlocksPerSM = std::min(R.BlocksPerSM, L.GridBlocks);
  R.SpillFootprint = V.SpillStoreBytes * L.Threads * R.BlocksPerSM;
  return R;
}

} // namespace regdem
