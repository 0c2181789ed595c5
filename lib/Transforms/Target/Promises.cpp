//===- Promises.cpp - what a finished kernel must keep --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Target/Promises.h"

#include "regdem/Target/Occupancy.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

unsigned residentBlocks(const SMLimits &SM, const KernelFigures &K,
                        unsigned Threads, uint64_t Dynamic) {
  constexpr unsigned Unit = 16; // Of what launches add.
  uint64_t Launch = Dynamic;
  if (K.ThreadBytes)
    Launch = alignTo(Dynamic, Unit) +
             alignTo(uint64_t(K.ThreadBytes) * Threads, Unit);
  return computeOccupancy(SM, {K.Registers, Threads,
                               static_cast<unsigned>(K.StaticShared),
                               static_cast<unsigned>(Launch)})
      .BlocksPerSM;
}

uint64_t acceptedShared(const SMLimits &SM, unsigned Release,
                        uint64_t Dynamic) {
  bool MayOptIn = SM.Arch == 90 && Release >= 130 &&
                  (!Dynamic || Dynamic > SM.StaticSharedBytesPerBlock);
  return MayOptIn ? SM.OptInSharedBytesPerBlock : SM.StaticSharedBytesPerBlock;
}

std::optional<unsigned> mostDynamicOfBoth(std::optional<unsigned> A,
                                          std::optional<unsigned> B) {
  if (!A || !B)
    return std::nullopt;
  auto [Least, Most] = std::minmax(*A, *B);
  const unsigned WithoutOptIn = SMLimits().StaticSharedBytesPerBlock;
  bool IsMixed = Least && Least <= WithoutOptIn && Most > WithoutOptIn;
  return IsMixed ? std::nullopt : std::optional(Most);
}

static Error tooFewBlocks(unsigned Threads, unsigned Now, unsigned Wanted,
                          const Twine &Why) {
  return createStringError("an SM would hold " + Twine(Now) +
                           (Now == 1 ? " block of " : " blocks of ") +
                           Twine(Threads) + " threads instead of " +
                           Twine(Wanted) + ", " + Why);
}

/// keepsPromises() of blocks of Threads threads.
static Error keepsBlocks(const KernelFigures &Now, const KernelFigures &Before,
                         const Promises &P, unsigned Threads,
                         const SMLimits &SM) {
  constexpr uint64_t Step = 1024; // That shared memory of launches differs by.
  uint64_t Most = P.DynamicShared.value_or(0);
  for (uint64_t Dynamic = 0;; Dynamic += Step) {
    Dynamic = std::min(Dynamic, Most);
    unsigned Had = residentBlocks(SM, Before, Threads, Dynamic);
    unsigned Has = residentBlocks(SM, Now, Threads, Dynamic);
    if (P.KeepsAllBlocks && Has < Had)
      return tooFewBlocks(Threads, Has, Had,
                          "which may wait for each other (a cooperative "
                          "launch, or a cluster)");
    if (Threads == P.Threads && Has < std::min(Had, P.BlocksPerSM))
      return tooFewBlocks(Threads, Has, std::min(Had, P.BlocksPerSM),
                          "which launch bounds or min-blocks promise");
    if (Had && !Has)
      return createStringError("blocks of " + Twine(Threads) +
                               " threads could not be launched any more");
    if (Dynamic == Most)
      return Error::success();
  }
}

Error keepsPromises(const KernelFigures &Now, const KernelFigures &Before,
                    const Promises &P, const SMLimits &SM) {
  if (P.MaxRegs && Now.Registers > std::max(P.MaxRegs, Before.Registers))
    return createStringError("it would take " + Twine(Now.Registers) +
                             " registers under a cap of " + Twine(P.MaxRegs));
  unsigned Most = P.Threads ? P.Threads : SM.MaxThreadsPerBlock;
  // Blocks of any size count by their warps.
  unsigned First = P.IsExact ? Most : std::min(SM.WarpSize, Most);
  for (unsigned Threads = First;; Threads += SM.WarpSize) {
    Threads = std::min(Threads, Most);
    if (Error E = keepsBlocks(Now, Before, P, Threads, SM))
      return E;
    if (Threads == Most)
      return Error::success();
  }
}

} // namespace regdem
