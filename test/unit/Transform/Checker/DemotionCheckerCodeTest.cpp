//===- DemotionCheckerCodeTest.cpp - changed original code ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DemotionCheckerRejects.h"

#include "llvm/CodeGen/MachineFunction.h"

using namespace regdem::test;

namespace {

const std::string Unexpected = " of the original, found this instruction";

TEST(DemotionCheckerCode, DroppedInstruction) {
  rejectsLoop({{Use1, ""}},
              "expected '%3 = ADD32rr %1, %0' of bb.3 of the original");
}

TEST(DemotionCheckerCode, DroppedLastInstruction) {
  rejectsLoop({{"    ST_i32 %3, 0, 0, 1, 32, %11, 0\n", ""}},
              "bb.3: original instruction 'ST_i32 %3, 0, 0, 1, 32, %11, 0' is "
              "missing");
}

TEST(DemotionCheckerCode, ChangedRegister) {
  rejectsLoop({{Use1, "    %3:b32 = ADD32rr %1, %1\n"}},
              "expected '%3 = ADD32rr %1, %0'");
}

TEST(DemotionCheckerCode, ChangedToNewRegister) {
  rejectsLoop({{Use1, "    %3:b32 = ADD32rr %40, %0\n"}},
              "expected '%3 = ADD32rr %1, %0'");
}

TEST(DemotionCheckerCode, ChangedDefinition) {
  rejectsLoop({{Use10, "    %12:b64 = ADD64rr %10, %10\n"}}, Unexpected);
}

TEST(DemotionCheckerCode, ChangedImmediate) {
  rejectsLoop({{Def1, "    %1:b32 = ADD32ri %0, 6\n"}}, Unexpected);
}

TEST(DemotionCheckerCode, ChangedFloatingPointImmediate) {
  std::string Move = "    %4:b32 = MOV_F32_i float 0.000000e+00\n";
  rejects(edited(LoopKernel, {before(Use1, Move)}),
          edited(loopResult(), {before(Use1, Move)}),
          {{"float 0.0", "float -0.0"}},
          "expected '%4 = MOV_F32_i float 0.000000e+00'");
}

TEST(DemotionCheckerCode, ChangedSymbol) {
  rejectsLoop({{"&k_param_0", "&k_param_1"}}, "expected '%0 = LD_i32");
}

TEST(DemotionCheckerCode, ChangedGlobal) {
  std::string Move = "    %14:b64 = MOV_B64_sym @other\n";
  rejects(edited(LoopKernel, {before(Use1, Move)}),
          edited(loopResult(), {before(Use1, Move)}), {{"@other", "@narrow"}},
          "expected '%14 = MOV_B64_sym @other'");
}

TEST(DemotionCheckerCode, ChangedOpcode) {
  rejectsLoop({{Use1, "    %3:b32 = SUB32rr %1, %0\n"}}, Unexpected);
}

TEST(DemotionCheckerCode, ChangedFlag) {
  rejectsLoop({{Use1, "    %3:b32 = nsw ADD32rr %1, %0\n"}}, Unexpected);
}

TEST(DemotionCheckerCode, ChangedMemoryOperand) {
  rejectsLoop({{"(dereferenceable invariant load", "(invariant load"}},
              "expected '%0 = LD_i32");
}

TEST(DemotionCheckerCode, Reordered) {
  rejectsLoop({{Use1, ""}, after(Use10, Use1)}, Unexpected);
}

TEST(DemotionCheckerCode, MovedToAnotherBlock) {
  rejectsLoop({{Use10, ""}, after(LoopBody, Use10)}, Unexpected);
}

TEST(DemotionCheckerCode, UnknownInstruction) {
  rejectsLoop({before(Use10, "    %49:b32 = SUB32rr %0, %1\n")}, Unexpected);
}

TEST(DemotionCheckerCode, OriginalRegisterSetAnew) {
  rejectsLoop({before(Use10, "    %0:b32 = SUB32rr %0, %1\n")}, Unexpected);
  rejectsLoop({before(Use1, "    %0:b32 = INT_PTX_SREG_TID_x\n")}, Unexpected);
}

TEST(DemotionCheckerCode, StoreThroughOriginalPointer) {
  rejectsLoop({after(Use10, "    ST_i32 %3, 0, 0, 3, 32, %10, 0\n")},
              Unexpected);
}

TEST(DemotionCheckerCode, ReloadIntoAnotherRegister) {
  rejectsLoop({{Reload1, load("%0", "%52", 512) + Use1}},
              "found byte 0 of %1 where byte 0 of %0 has to be");
}

TEST(DemotionCheckerCode, OriginalRegisterAsHalf) {
  rejects(LoopKernel, wordsResult(),
          {{"%47:b32, %48:b32 = I64toV2I32 %10",
            "%1:b32, %48:b32 = I64toV2I32 %10"},
           {store("%47", "%52", 0), store("%1", "%52", 0)}},
          "expected %1 to be reloaded from its slot");
}

TEST(DemotionCheckerCode, ValueThatNoLoadGave) {
  rejectsLoop({{Store1, store("%40", "%52", 512)}},
              "expected a register that was set since the last instruction of "
              "the original, found %40");
}

TEST(DemotionCheckerCode, StoredImmediate) {
  rejectsLoop({{Store1, store("7", "%52", 512)}},
              "expected a register as operand 0");
}

TEST(DemotionCheckerCode, OriginalCodeNamesRegion) {
  std::string Move = "    %14:b64 = MOV_B64_sym @region\n";
  expectMessage(checkBodies(edited(LoopKernel, {before(Use1, Move)}),
                            edited(loopResult(), {before(Use1, Move)})),
                "an instruction of the original code names the region");
}

// Control flow.

TEST(DemotionCheckerCode, ChangedBranchTarget) {
  rejectsLoop(
      {{"    CBranch %30, %bb.3\n", "    CBranch %30, %bb.2\n"},
       {"    successors: %bb.1, %bb.3\n", "    successors: %bb.1, %bb.2\n"}},
      "expected '%3 = ADD32rr %1, %0' of bb.3 of the original");
}

TEST(DemotionCheckerCode, ExchangedBranchTargets) {
  rejectsLoop({{"    CBranch %30, %bb.3\n    GOTO %bb.1\n",
                "    CBranch %30, %bb.1\n    GOTO %bb.3\n"}},
              "expected '%3 = ADD32rr %1, %0' of bb.3 of the original");
}

TEST(DemotionCheckerCode, ChangedBranchCondition) {
  rejectsLoop({{"CBranch %31, %bb.2", "CBranch %30, %bb.2"}},
              "expected terminator 'CBranch %31, %bb.2'");
}

TEST(DemotionCheckerCode, DroppedBranch) {
  rejectsLoop({{"    CBranch %31, %bb.2\n", ""},
               {"    successors: %bb.2, %bb.3\n", "    successors: %bb.3\n"}},
              "bb.2: original terminator 'CBranch %31, %bb.2' is missing");
}

TEST(DemotionCheckerCode, AddedBranch) {
  rejectsLoop({before("  bb.2:\n", "    CBranch %30, %bb.3\n"),
               {"    successors: %bb.2\n", "    successors: %bb.2, %bb.3\n"}},
              "bb.1: 'CBranch %30, %bb.3': expected no further terminator");
}

TEST(DemotionCheckerCode, SplitBlockThatGoesElsewhere) {
  rejects(LoopKernel, splitEdgeResult(),
          {{"    successors: %bb.3\n\n    %1 = ",
            "    successors: %bb.1\n\n    %1 = "},
           {"    GOTO %bb.3\n\n  bb.3:\n", "    GOTO %bb.1\n\n  bb.3:\n"}},
          "which is no original block");
}

TEST(DemotionCheckerCode, SkippedBlock) {
  rejectsLoop(
      {{"    GOTO %bb.1\n", "    GOTO %bb.2\n"},
       {"    successors: %bb.1, %bb.3\n", "    successors: %bb.2, %bb.3\n"}},
      "expected '%2 = MOV_B32_i 0' of bb.1 of the original");
}

TEST(DemotionCheckerCode, SuccessorListThatIsWrong) {
  Launch L;
  L.Change = [](llvm::MachineFunction &MF) {
    MF.front().removeSuccessor(MF.front().succ_begin());
  };
  rejectsLaunch(LoopKernel, loopResult(), {}, L,
                "bb.0: the successor list does not agree with the terminators");
}

TEST(DemotionCheckerCode, InsertionBetweenTerminators) {
  Launch L;
  L.Change = [](llvm::MachineFunction &MF) {
    llvm::MachineBasicBlock &Loop = *MF.getBlockNumbered(2);
    Loop.splice(Loop.getFirstTerminator()->getNextNode(), &Loop, Loop.begin());
  };
  rejectsLaunch(LoopKernel, loopResult(), {}, L,
                "bb.2: '%1:b32 = LD_i32 0, 0, 3, 3, 32, -1, %52, 512': "
                "expected no further terminator");
}

// Values computed again.

const std::string Gives = "expected an instruction that gives what it holds";

TEST(DemotionCheckerCode, RecomputedByInstructionOfOnePath) {
  rejects(DiamondKernel, withPrologue(DiamondKernel), {before(Joined, Arm2)},
          "value %1: " + Gives);
}

TEST(DemotionCheckerCode, RecomputedWithOtherConstant) {
  rejects(DiamondKernel, withPrologue(DiamondKernel),
          {after(Arm2, "    %1:b32 = MOV_B32_i 8\n")},
          "found this instruction");
}

TEST(DemotionCheckerCode, RecomputedAfterRedefinition) {
  rejects(LoopKernel, withPrologue(LoopKernel), {after(LoopBody, LoopEntry)},
          Gives);
}

TEST(DemotionCheckerCode, RecomputedFromChangedOperand) {
  std::string Change = "    %0:b32 = SUB32rr %0, %1\n";
  rejects(edited(LoopKernel, {before(Use1, Change)}),
          edited(withPrologue(LoopKernel), {before(Use1, Def10 + Change)}),
          {{Def10 + Change, Change + Def10}}, Gives);
}

TEST(DemotionCheckerCode, LoadThatIsNotInvariantDoneAgain) {
  std::string Load = "    %4:b32 = LD_i32 0, 0, 1, 3, 32, -1, %10, 0 :: (load "
                     "(s32), addrspace 1)\n";
  rejects(edited(LoopKernel, {after(Def10, Load)}),
          edited(withPrologue(LoopKernel), {after(Def10, Load)}),
          {before(Use10, Load)}, Unexpected);
}

} // namespace
