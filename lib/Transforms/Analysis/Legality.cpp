//===- Legality.cpp - may this kernel be demoted at all -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/Legality.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Options.h"
#include "regdem/Target/Occupancy.h"
#include "regdem/Target/SMLimits.h"

namespace regdem {

Obstacle findSharedObstacle(const KernelFacts &Facts) {
  if (Facts.ReadsTotalSize)
    return Obstacle::ReadsTotalShared;
  if (Facts.HostStatesShared)
    return Obstacle::HostStatesShared;
  if (!Facts.knowsDynamicShared())
    return Obstacle::UnknownDynamicShared;
  if (!Facts.knowsBlockSize())
    return Obstacle::UnknownBlockSize;
  return Obstacle::None;
}

Obstacle findObstacle(const KernelFacts &Facts, const Options &O) {
  const SMLimits *Limits = lookupSMLimits(Facts.Arch);
  if (!Limits)
    return Obstacle::UnknownArch;
  if (Facts.IsForDebugger)
    return Obstacle::ForDebugger;
  if (Facts.IsOptNone)
    return Obstacle::NotOptimized;
  if (Facts.HasSetMaxNReg)
    return Obstacle::SetMaxNReg;
  // Until such an operation has been waited for, its registers must not be
  // read or written (PTX ISA, "wgmma.mma_async", "tcgen05.ld"). LLVM sees no
  // more than instructions that name them.
  if (Facts.HasAsyncRegisters)
    return Obstacle::AsyncRegisters;
  if (Facts.HasUnclearPtx)
    return Obstacle::UnclearPtx;
  // ptxas (seen in 12.9, 13.0 and 13.5 at -O2 and up) may keep the counter of
  // a loop that half a warp enters at its head and half in its middle in a
  // uniform register, which both halves then increment. Whether it does depends
  // on register pressure, so that a cap or a demotion may bring it about.
  if (Facts.HasIrreducibleFlow)
    return Obstacle::IrreducibleFlow;
  if (Facts.HasAsmShared)
    return Obstacle::AsmShared;
  // What another module's function, or one called through a pointer, takes of
  // the 48 KB is known to the linker only.
  if (Facts.HasExternalCalls || Facts.HasIndirectCalls)
    return Obstacle::UnknownCallee;
  // The stack is as large as the program says (cudaLimitStackSize): it may be
  // too small for the frames of other builds. Nobody asks for these here.
  if (Facts.HasRecursion && O.RunMode == Mode::Auto && !O.MaxRegs &&
      !O.MinBlocks && !O.Stated)
    return Obstacle::Recursion;
  // After what stands in the way of every build: these leave some.
  if (Obstacle Why = findSharedObstacle(Facts); Why != Obstacle::None)
    return Why;
  if (O.MinBlocks && !maxRegsForBlocks(*Limits, Facts.Threads, O.MinBlocks))
    return Obstacle::TooManyBlocks;
  return Obstacle::None;
}

} // namespace regdem
