//===- Legality.h - may this kernel be demoted at all -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names what stands in the way of giving a kernel shared-memory slots. Profit
// is not asked here, and a reason is a value; its words are in Emission.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_LEGALITY_H
#define REGDEM_ANALYSIS_LEGALITY_H

namespace regdem {

struct KernelFacts;
struct Options;

enum class Obstacle {
  None,
  UnknownArch,          ///< No limits known for the target architecture.
  ForDebugger,          ///< ptxas compiles it without optimization.
  SetMaxNReg,           ///< The kernel changes its register count itself.
  AsyncRegisters,       ///< Registers are in use after what names them.
  UnclearPtx,           ///< Its PTX has text that is not understood.
  IrreducibleFlow,      ///< ptxas may miscompile it under another cap.
  ReadsTotalShared,     ///< It could tell that there is more of it.
  HostStatesShared,     ///< The program may leave none of it.
  UnknownBlockSize,     ///< The region's size cannot be known.
  UnknownDynamicShared, ///< Dynamic shared memory of unstated size.
  CalleeRegisters,      ///< A new cap might be too low for a callee.
  LinkedCallee,         ///< A linker counts its registers with the kernel's.
  AsmShared,            ///< Assembly declares shared memory of unknown size.
  UnknownCallee,        ///< Shared memory of a callee cannot be known.
  Recursion,            ///< Local memory of callees cannot be known.
  TooManyBlocks,        ///< The blocks per SM asked for can never fit.
  NotOptimized,         ///< Compiled with -O0, or optnone.
  NotNoted,             ///< The launches that were noted are of others.
  NotSelected,          ///< `kernels` does not match its name.
};

/// What stands in the way of no builds of a kernel with these Facts but those
/// that take shared memory: slots, ptxas's own spilling to it, arrays there.
Obstacle findSharedObstacle(const KernelFacts &Facts);

/// What stands in the way of slots for a kernel with these Facts. Of several it
/// is one that leaves the kernel no build but stock's (mayTryBuilds()), if
/// there is one; TooManyBlocks is found only where the block size is known.
Obstacle findObstacle(const KernelFacts &Facts, const Options &O);

} // namespace regdem

#endif // REGDEM_ANALYSIS_LEGALITY_H
