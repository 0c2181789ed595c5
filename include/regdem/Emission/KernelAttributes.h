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

#ifndef REGDEM_EMISSION_KERNELATTRIBUTES_H
#define REGDEM_EMISSION_KERNELATTRIBUTES_H

namespace llvm {
class Function;
class MachineFunction;
} // namespace llvm

namespace regdem {

/// Holds ptxas to MaxRegs registers a thread (`.maxnreg`).
void setRegisterCap(llvm::Function &Kernel, unsigned MaxRegs);

/// Makes launches of more than Threads threads a block fail (`.maxntid`), for
/// kernels whose region was sized for a number that they do not state.
void setThreadLimit(llvm::Function &Kernel, unsigned Threads);

/// Asks ptxas, at the top of Kernel's body, to spill to shared memory before it
/// spills to local memory. ptxas stops with an error where it cannot: see
/// allowsSmemSpilling and endsInPlainPtxas.
void setSmemSpilling(llvm::MachineFunction &Kernel);

} // namespace regdem

#endif // REGDEM_EMISSION_KERNELATTRIBUTES_H
