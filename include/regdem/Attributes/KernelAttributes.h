//===- KernelAttributes.h - what ptxas and later passes read ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a decision reaches ptxas and the passes that run later: as function
// attributes, which become directives, and as a pragma in the kernel's body.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ATTRIBUTES_KERNELATTRIBUTES_H
#define REGDEM_ATTRIBUTES_KERNELATTRIBUTES_H

namespace llvm {
class Function;
class MachineFunction;
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

/// Has the code generator write Kernel's dense switches as comparisons instead
/// of jump tables, or again as it would by itself.
void omitJumpTables(llvm::Function &Kernel);
void allowJumpTables(llvm::Function &Kernel);

/// Does the former where Kernel bears RegDem's note that it was done.
void restoreJumpTables(llvm::Function &Kernel);

/// Which of a kernel's products the code generator gives a rounding modifier,
/// so that ptxas does not fuse them.
enum class RoundedProducts {
  None,
  Distant, ///< Those whose sums stand in other blocks (roundDistantProducts).
  All
};
void setRoundedProducts(llvm::Function &Kernel, RoundedProducts Which);
RoundedProducts roundedProducts(const llvm::Function &Kernel);

/// Notes that other products of Kernel may be fused with sums than in the stock
/// build, because -regdem-fp=relaxed allows it.
void markFusedOtherwise(llvm::Function &Kernel);
bool isMarkedFusedOtherwise(const llvm::Function &Kernel);

/// Asks ptxas, at the top of Kernel's body, to spill to shared memory before it
/// spills to local memory. ptxas stops with an error where it cannot: see
/// allowsSmemSpilling and endsInPlainPtxas.
void setSmemSpilling(llvm::MachineFunction &Kernel);

} // namespace regdem

#endif // REGDEM_ATTRIBUTES_KERNELATTRIBUTES_H
