//===- FoldCheckerTest.cpp - what folding copies may not change -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineText.h"
#include "Transform/FlowChecker.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

/// A loop in whose block %0 is replaced by %4, which is computed while %0 is
/// still read. Instructions of the block go by their number.
constexpr const char *Text = R"(---
name: f
body: |
  bb.0:
    successors: %bb.1
    %0:b32 = IMPLICIT_DEF
    %1:b32 = IMPLICIT_DEF
    %2:b64 = IMPLICIT_DEF
  bb.1:
    successors: %bb.1, %bb.2
    %5:b1 = SETP_i32rr %0, %1, 2
    %4:b32 = ADD32rr %0, %1
    %3:b32 = SUB32rr %0, %4
    ST_i32 %3, 0, 0, 1, 32, %2, 0 :: (store (s32), addrspace 1)
    ST_i32 %1, 0, 0, 1, 32, %2, 4 :: (store (s32), addrspace 1)
    %0:b32 = COPY %4
    CBranch %5, %bb.1
  bb.2:
    ST_i32 %0, 0, 0, 1, 32, %2, 8 :: (store (s32), addrspace 1)
    Return
...
)";
enum Number { Compare, Sum, Difference, StoreA, StoreB, Copy, Branch };

using Insts = std::vector<MachineInstr *>;

/// What is said of the loop once Change has been at it; empty where nothing is.
std::string check(function_ref<void(MachineBasicBlock &, Insts &)> Change) {
  MachineText Code(Text);
  if (!Code)
    return "no code";
  MachineFunction &MF = Code.function("f");
  const NVPTXOpcodes &Opcodes = nvptxOpcodes();
  MachineBasicBlock &Loop = *std::next(MF.begin());
  Insts List;
  for (MachineInstr &I : Loop)
    List.push_back(&I);
  FlowSnapshot Original(MF, Opcodes);
  Change(Loop, List);
  if (Error E = Original.check())
    return toString(std::move(E));
  return "";
}

/// Moves the instruction What ahead of Where.
void move(MachineBasicBlock &Loop, MachineInstr *What, MachineInstr *Where) {
  Loop.splice(Where->getIterator(), &Loop, What);
}

constexpr const char *OtherAtEnd =
    "folded copies: block 1: a register holds something else at the end";

/// What is wrong with an instruction.
std::string wrong(unsigned Number, const char *How) {
  return ("folded copies: block 1: instruction " + Twine(Number) + " " + How)
      .str();
}

TEST(FoldChecker, NothingChangedIsRight) {
  EXPECT_EQ(check([](MachineBasicBlock &, Insts &) {}), "");
}

TEST(FoldChecker, CopiesMayGo) {
  // The sum takes over %0 where nothing reads the old value any more.
  EXPECT_EQ(check([](MachineBasicBlock &Loop, Insts &I) {
              Register Old = I[Copy]->getOperand(0).getReg();
              MachineRegisterInfo &MRI = Loop.getParent()->getRegInfo();
              Register Kept = MRI.cloneVirtualRegister(Old);
              BuildMI(Loop, I[Compare], DebugLoc(), I[Copy]->getDesc(), Kept)
                  .addReg(Old);
              I[Difference]->getOperand(1).setReg(Kept);
              I[Difference]->getOperand(2).setReg(Old);
              I[Sum]->getOperand(0).setReg(Old);
              I[Copy]->eraseFromParent();
            }),
            "");
}

TEST(FoldChecker, ACopyThatIsNeededMayNotGo) {
  EXPECT_EQ(
      check([](MachineBasicBlock &, Insts &I) { I[Copy]->eraseFromParent(); }),
      OtherAtEnd);
}

TEST(FoldChecker, AnOldValueMayNotBeLost) {
  // As if nothing read %0 any more.
  EXPECT_EQ(check([](MachineBasicBlock &, Insts &I) {
              Register Old = I[Copy]->getOperand(0).getReg();
              I[Sum]->getOperand(0).setReg(Old);
              I[Difference]->getOperand(2).setReg(Old);
              I[Copy]->eraseFromParent();
            }),
            wrong(2, "reads what others wrote"));
}

TEST(FoldChecker, ArithmeticMayMove) {
  EXPECT_EQ(check([](MachineBasicBlock &Loop, Insts &I) {
              move(Loop, I[Compare], I[StoreA]);
            }),
            "");
}

TEST(FoldChecker, ValuesMayNotBeReadBeforeTheyAreThere) {
  EXPECT_EQ(check([](MachineBasicBlock &Loop, Insts &I) {
              move(Loop, I[Difference], I[Sum]);
            }),
            wrong(1, "reads what others wrote"));
}

TEST(FoldChecker, EffectsKeepTheirOrder) {
  EXPECT_EQ(check([](MachineBasicBlock &Loop, Insts &I) {
              move(Loop, I[StoreB], I[StoreA]);
            }),
            "folded copies: block 1: effects have changed places");
}

TEST(FoldChecker, NothingStandsBehindATerminator) {
  EXPECT_EQ(check([](MachineBasicBlock &Loop, Insts &I) {
              Loop.splice(Loop.end(), &Loop, I[Difference]);
            }),
            wrong(2, "reads what others wrote"));
}

TEST(FoldChecker, InstructionsMayNotBeLost) {
  EXPECT_EQ(check([](MachineBasicBlock &, Insts &I) {
              I[StoreB]->eraseFromParent();
            }),
            "folded copies: block 1: 5 instructions instead of 6");
}

TEST(FoldChecker, OperandsMayNotChange) {
  EXPECT_EQ(check([](MachineBasicBlock &, Insts &I) {
              I[StoreA]->getOperand(6).setImm(16);
            }),
            wrong(3, "is another"));
}

TEST(FoldChecker, RegistersThatNobodyReadsDoNotMatter) {
  EXPECT_EQ(check([](MachineBasicBlock &Loop, Insts &I) {
              MachineRegisterInfo &MRI = Loop.getParent()->getRegInfo();
              Register New = MRI.cloneVirtualRegister(
                  I[Difference]->getOperand(0).getReg());
              I[Difference]->getOperand(0).setReg(New);
              I[StoreA]->getOperand(0).setReg(New);
            }),
            "");
}

} // namespace
