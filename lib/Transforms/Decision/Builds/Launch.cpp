//===- Launch.cpp - the launches that builds are for ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Launch.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Options.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

static constexpr unsigned UsualThreads[] = {128, 256, 512, 1024};
/// Bytes: hardly any, a tile, all that a launch has without opting in to more.
static constexpr unsigned UsualDynamicShared[] = {0, 16384, 49152};

Launch statedLaunch(const KernelFacts &Facts, const Options &O) {
  return {Facts.Threads, O.DynamicSmem.value_or(0)};
}

std::vector<Launch> launchesOf(const KernelFacts &Facts, const Options &O) {
  Launch Stated = statedLaunch(Facts, O);
  llvm::ArrayRef<unsigned> Sizes = Stated.Threads,
                           Dynamic = Stated.DynamicShared;
  if (!Facts.knowsBlockSize())
    Sizes = UsualThreads;
  if (!Facts.knowsDynamicShared())
    Dynamic = UsualDynamicShared;
  std::vector<Launch> Launches;
  for (unsigned Threads : Sizes)
    for (unsigned Bytes : Dynamic)
      Launches.push_back({Threads, Bytes});
  return Launches;
}

Occupancy occupancyAt(const Launch &L, unsigned Regs, uint64_t StaticShared,
                      const SMLimits &Limits) {
  return computeOccupancy(
      Limits,
      {Regs, L.Threads, static_cast<unsigned>(StaticShared), L.DynamicShared});
}

} // namespace regdem
