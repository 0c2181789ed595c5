//===- PtxDemotionChecker.h - prove that PTX kept every value ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves, after the fact, that a kernel whose PTX was demoted computes what the
// original did. It knows both texts, nothing of the plan, and shares no code
// with the reader of PTX's instructions or with the PtxDemoter; only functions
// and directives are found by PtxText.h for both.
//
// Theorem: if each instruction that was inserted either writes a register that
// the original does not have, or leaves in an original register what is there,
// then all original registers hold at each original instruction what they held.
//
// Lattice: sets of facts "the slot holds register R's value", "a half of it";
// meet: intersection; top: not reached. Transfer:
//
//   st.shared.b32 [slot], %r1     the slot holds %r1; nothing else does
//   ld.shared.b32 %r1, [slot]     has to be known to hold %r1: no change
//   mov.b64 {low, high}, %rd1     low and high hold halves of %rd1
//   an original instruction       what it may write, its first operand unless
//                                 that is an address, is in no slot any more
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_CHECKER_PTXDEMOTIONCHECKER_H
#define REGDEM_TRANSFORM_CHECKER_PTXDEMOTIONCHECKER_H

#include "regdem/MachineCode/PtxText.h"
#include "llvm/Support/Error.h"

namespace regdem {

/// Success when the kernel Name of Demoted computes what that of Original does;
/// otherwise an error of one line that names the kernel and the instruction.
/// The header in Demoted has to state how many threads a block has at most.
llvm::Error checkPtxDemotion(const PtxFile &Original, const PtxFile &Demoted,
                             llvm::StringRef Name);

} // namespace regdem

#endif // REGDEM_TRANSFORM_CHECKER_PTXDEMOTIONCHECKER_H
