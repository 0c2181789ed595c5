//===- KernelAttributes.h - what ptxas and later passes read ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Function attributes are how a decision reaches the printed directives and
// the passes that run later.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_KERNELATTRIBUTES_H
#define REGDEM_EMISSION_KERNELATTRIBUTES_H

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// Holds ptxas to MaxRegs registers a thread (`.maxnreg`).
void setRegisterCap(llvm::Function &Kernel, unsigned MaxRegs);

/// Tells ptxas to make room for Blocks blocks per SM (`.minnctapersm`). Kernel
/// must state its threads per block.
void setMinBlocks(llvm::Function &Kernel, unsigned Blocks);

/// Makes launches of more than Threads threads a block fail (`.maxntid`), for
/// kernels whose region was sized for a number that they do not state.
void setThreadLimit(llvm::Function &Kernel, unsigned Threads);

} // namespace regdem

#endif // REGDEM_EMISSION_KERNELATTRIBUTES_H
