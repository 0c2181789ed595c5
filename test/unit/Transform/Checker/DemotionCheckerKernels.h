//===- DemotionCheckerKernels.h - code for checker tests --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Originals and correct results that the checker's tests start from. The slots
// are for 128 threads: words at multiples of 512, 8-byte ones of 1024.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_DEMOTIONCHECKERKERNELS_H
#define REGDEM_TEST_UNIT_DEMOTIONCHECKERKERNELS_H

#include "DemotionCheckerHarness.h"

namespace regdem::test {

/// A value (%1) that lives across a loop, one that the loop redefines (%2), and
/// two wide ones (%10, %25).
inline const std::string LoopKernel = R"(
  bb.0:
    successors: %bb.1, %bb.3

    %0:b32 = LD_i32 0, 0, 101, 3, 32, -1, &k_param_0, 0 :: (dereferenceable invariant load (s32), addrspace 101)
    %1:b32 = ADD32ri %0, 5
    %10:b64 = MUL_WIDEu32_ri %0, 4
    %20:b16 = CVT_u16_u32 %0, 0
    %25:b128 = V2I64toI128 %10, %10
    %30:b1 = SETP_i32ri %0, 1, 2
    CBranch %30, %bb.3
    GOTO %bb.1

  bb.1:
    successors: %bb.2

    %2:b32 = MOV_B32_i 0

  bb.2:
    successors: %bb.2, %bb.3

    %2:b32 = ADD32rr %2, %1
    %31:b1 = SETP_i32rr %2, %0, 2
    CBranch %31, %bb.2
    GOTO %bb.3

  bb.3:
    %3:b32 = ADD32rr %1, %0
    %11:b64 = ADD64rr %10, %10
    %12:b64, %13:b64 = I128toV2I64 %25
    %21:b16 = ADD16rr %20, %20
    ST_i32 %3, 0, 0, 1, 32, %11, 0
    Return
)";

/// A diamond in which both arms define %1.
inline const std::string DiamondKernel = R"(
  bb.0:
    successors: %bb.1, %bb.2

    %0:b32 = LD_i32 0, 0, 101, 3, 32, -1, &k_param_0, 0 :: (dereferenceable invariant load (s32), addrspace 101)
    %10:b64 = MUL_WIDEu32_ri %0, 4
    %30:b1 = SETP_i32ri %0, 1, 2
    CBranch %30, %bb.2
    GOTO %bb.1

  bb.1:
    successors: %bb.3

    %1:b32 = ADD32ri %0, 7
    GOTO %bb.3

  bb.2:
    successors: %bb.3

    %1:b32 = MOV_B32_i 9

  bb.3:
    %2:b32 = ADD32ri %0, 1
    %3:b32 = ADD32rr %1, %2
    ST_i32 %3, 0, 0, 1, 32, %10, 0
    Return
)";

inline const std::string Def1 = "    %1:b32 = ADD32ri %0, 5\n";
inline const std::string Def10 = "    %10:b64 = MUL_WIDEu32_ri %0, 4\n";
inline const std::string Def25 = "    %25:b128 = V2I64toI128 %10, %10\n";
inline const std::string Def20 = "    %20:b16 = CVT_u16_u32 %0, 0\n";
inline const std::string Use1 = "    %3:b32 = ADD32rr %1, %0\n";
inline const std::string Use10 = "    %11:b64 = ADD64rr %10, %10\n";
inline const std::string Use20 = "    %21:b16 = ADD16rr %20, %20\n";
inline const std::string Use25 = "    %12:b64, %13:b64 = I128toV2I64 %25\n";
inline const std::string LoopBody = "    %2:b32 = ADD32rr %2, %1\n";
inline const std::string Arm1 = "    %1:b32 = ADD32ri %0, 7\n";
inline const std::string Arm2 = "    %1:b32 = MOV_B32_i 9\n";
inline const std::string Joined = "    %3:b32 = ADD32rr %1, %2\n";

/// %1 stored where it is defined, reloaded in the loop and after it.
inline std::string loopResult() {
  return edited(withPrologue(LoopKernel),
                {after(Def1, store("%1", "%52", 512)),
                 before(LoopBody, load("%1", "%52", 512)),
                 before(Use1, load("%1", "%52", 512))});
}

/// %10 kept in two words, which are joined in new registers.
inline std::string wordsResult() {
  return edited(
      withPrologue(LoopKernel),
      {after(Def10, "    %47:b32, %48:b32 = I64toV2I32 %10\n" +
                        store("%47", "%52", 0) + store("%48", "%52", 1024)),
       before(Use10, load("%47", "%52", 0) + load("%48", "%52", 1024) +
                         "    %10:b64 = V2I32toI64 %47, %48\n")});
}

/// %25 kept in one 8-byte slot and two words.
inline std::string quadResult() {
  return edited(
      withPrologue(LoopKernel, WidePrologue),
      {after(Def25, "    %55:b64, %56:b64 = I128toV2I64 %25\n" +
                        store("%55", "%52", 2048, 64) +
                        "    %47:b32, %48:b32 = I64toV2I32 %56\n" +
                        store("%47", "%52", 0) + store("%48", "%52", 4)),
       before(Use25, load("%57", "%52", 2048, 64) + load("%47", "%52", 0) +
                         load("%48", "%52", 4) +
                         "    %58:b64 = V2I32toI64 %47, %48\n"
                         "    %25:b128 = V2I64toI128 %57, %58\n")});
}

/// %1 stored in both arms, reloaded where they join.
inline std::string diamondResult() {
  return edited(withPrologue(DiamondKernel),
                {after(Arm1, store("%1", "%52", 0)),
                 after(Arm2, store("%1", "%52", 0)),
                 before(Joined, load("%1", "%52", 0))});
}

/// %1 reloaded on the edge from bb.0 to bb.3 of LoopKernel alone, in a block
/// of its own.
inline std::string splitEdgeResult() {
  return edited(
      withPrologue(LoopKernel),
      {after(Def1, store("%1", "%52", 0)),
       {"    successors: %bb.1, %bb.3\n", "    successors: %bb.1, %bb.4\n"},
       {"    CBranch %30, %bb.3\n", "    CBranch %30, %bb.4\n"},
       before("  bb.3:\n", "  bb.4:\n    successors: %bb.3\n\n" +
                               load("%1", "%52", 0) + "    GOTO %bb.3\n\n")});
}

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_DEMOTIONCHECKERKERNELS_H
