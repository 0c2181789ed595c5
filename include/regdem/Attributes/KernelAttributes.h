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

#include "llvm/ADT/StringRef.h"

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

// ptxas (seen in 12.9, 13.0 and 13.5 at -O2 and up) that has no register left
// where a kernel branches by a table saves a live one, or a pair, loads the
// target into it, and restores it right after the branch, where no path comes.
// What is branched to finds an address of code in the place of the value. Fuzz
// seed 8035494, sm_90, 40 registers:
//
//         STL.64 [R1+0x70], R6       the value that R6 and R7 hold
//         LDC R6, c[0x2][R12]        the target: 0x47a0 for the sixth case
//         BRX R6                     to L43, L174, L175 ...
//         LDL.LU.64 R6, [R1+0x70]
//     L43:
//
// A cap or a demotion that leaves spill code may bring that about; stock's
// build of seed 8067590, under its own launch bounds, has it too. Of 14 fuzz
// kernels that RegDem's build alone got wrong on GPUs, among 23,433 with values
// demoted, five have it (8031830, 8035494, 8067920, 8072341, 8100039), and
// these and four more are right without tables (8005285, 8023214, 8061690,
// 8066586), under each of five caps. So no build has any but stock.

/// Has the code generator write F's dense switches as comparisons instead of
/// jump tables.
void omitJumpTables(llvm::Function &F);

/// Whether it does that, for RegDem or for -fno-jump-tables.
bool omitsJumpTables(const llvm::Function &F);

/// What is known of how the stock build rounds what Kernel computes, where
/// that depends on what LLVM and ptxas fuse. Empty: nothing, nobody asked.
/// Otherwise what becomes of its sums (FusingPrefix), which code generation
/// writes into IR first of all, with the same of each function that it calls
/// behind that, after blanks, until settleCallees(); or one of these:
inline constexpr llvm::StringLiteral RoundingsFixed = "fixed"; ///< Written.
inline constexpr llvm::StringLiteral RoundingsUnknown = "unknown";
void setRoundings(llvm::Function &Kernel, llvm::StringRef Roundings);
llvm::StringRef roundingsOf(const llvm::Function &Kernel);
bool areRoundingsFixed(const llvm::Function &Kernel);
/// Has Kernel, which is the stock build, state nothing of them that is known.
void forgetRoundings(llvm::Function &Kernel);

/// Whether other products of Kernel may be fused with sums than in the stock
/// build, because -regdem-fp=relaxed allows it.
void setFusesOtherwise(llvm::Function &Kernel);
bool fusesOtherwise(const llvm::Function &Kernel);

/// What says so.
inline constexpr llvm::StringLiteral CodeAttr = "regdem-code";

/// Whether Content is what attribute Name could say, which is CodeAttr or that
/// of roundings.
bool isCodeAttribute(llvm::StringRef Name, llvm::StringRef Content);

/// Asks ptxas, at the top of Kernel's body, to spill to shared memory before it
/// spills to local memory. ptxas stops with an error where it cannot: see
/// allowsSmemSpilling and endsInPlainPtxas.
void setSmemSpilling(llvm::MachineFunction &Kernel);

} // namespace regdem

#endif // REGDEM_ATTRIBUTES_KERNELATTRIBUTES_H
