//===- FrameRewrite.h - instructions that use a frame -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in the code of a kernel whose frame is in shared memory, in the
// place of what ptxas wrote. Accesses:
//
//   LDL, STL                       LDS, STS
//
// and, on sm_90, where a uniform register has an address in the frame (then it
// holds the distance from R1, which is the same for all threads) or generic
// addresses are made (then shared memory's window is in a uniform register):
//
//   R2UR UR6, R1                   R2UR UR6, RZ
//   MOV R2, UR6                    IADD3 R2, R1, UR6, RZ
//   IMAD.U32 R2, RZ, RZ, UR6       VIADD R2, R1, UR6
//   LEA R2, R3, UR6, 0x3           LEA R2, R3, R1, 0x3
//   IMAD R2, R3, R4, UR6           IMAD R2, R3, R4, R1
//   LDL R5, [R2+0x8]               LDS R5, [R2+0x28]         UR6 = R1 + 0x20
//   STL [UR6+0x8], R5              STS [R1+UR6+0x8], R5
//   ULDC UR4, c[0x0][0x20]         UMOV UR4, URZ
//   ULDC UR5, c[0x0][0x24]         UMOV UR5, UR62
//   LDC R4, c[0x0][0x20]           S2R R4, SRZ
//   LDC R5, c[0x0][0x24]           S2R R5, SR_SWINHI
//
// Each takes as long as its predecessor, by the same unit, or is waited for in
// the same way. Where only a part of the frame moves, on sm_90, R1 is lowered
// by as much as that takes, and what R1 was is in a uniform register, for all
// threads the same:
//
//   IADD3 R1, R1, -0xd0, RZ        IADD3 R1, R1, -0x1c, RZ
//   LDL R5, [R1+0xc8]              LDS R5, [R1+0x14]
//   LDL R6, [R1+0x10]              LDL R6, [UR62+0x10]       set-up code's
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_FRAMEREWRITE_H
#define REGDEM_LIB_FINISH_FRAMEREWRITE_H

#include "FramePart.h"
#include "FrameUse.h"
#include "regdem/MachineCode/MachineWord.h"

namespace regdem {

/// The uniform register that set-up code leaves the window in, or what R1 was:
/// the last one. ptxas takes them from the first one on.
constexpr unsigned SetUpRegister = 62;

/// Changes in Code, up to End, what Use says; an error where an instruction is
/// not what it says.
llvm::Error rewriteFrameUse(std::string &Code, uint64_t End,
                            const FrameUse &Use);

/// The same where only Part moves.
llvm::Error rewritePartUse(std::string &Code, const FrameUse &Use,
                           const FramePart &Part);

} // namespace regdem

#endif // REGDEM_LIB_FINISH_FRAMEREWRITE_H
