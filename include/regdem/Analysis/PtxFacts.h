//===- PtxFacts.h - what a kernel's PTX states about it ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts of KernelFacts.h where PTX of any compiler is all that there is of
// a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_PTXFACTS_H
#define REGDEM_ANALYSIS_PTXFACTS_H

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/MachineCode/PtxText.h"
#include <vector>

namespace regdem {

struct PtxFacts : KernelFacts {
  /// Where the kernel has openProducts(): what of its text has each be rounded
  /// by itself, and what has all sums that read one be fused with it.
  std::vector<PtxEdit> RoundedApart, RoundedFused;
  /// There are some that nothing can be stated of: quotients, and what it may
  /// call has.
  bool HasUnstatedProducts = false;
  /// The kernel, or what it may call, branches by a table: ptxas may lose
  /// values that it spills there.
  bool HasJumpTable = false;
  /// The source asks for ptxas's own spilling to shared memory.
  bool AsksForSmemSpilling = false;
};

/// The facts of Kernel, an entry of File that is assembled for ArchName
/// ("sm_90a"). Static shared memory, which the assembled program shows, is
/// left as it is.
PtxFacts collectPtxFacts(const PtxFile &File, const PtxFunction &Kernel,
                         llvm::StringRef ArchName, const Options &O);

} // namespace regdem

#endif // REGDEM_ANALYSIS_PTXFACTS_H
