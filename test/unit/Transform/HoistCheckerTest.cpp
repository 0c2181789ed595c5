//===- HoistCheckerTest.cpp - what hoisting may not do --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/HoistChecker.h"
#include "MachineText.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace hoist {

/// A guard, and after it, by their numbers: a value, a load, a store, a
/// product that ptxas may fuse, and what reads the value.
constexpr const char *Text = R"(---
name: f
tracksRegLiveness: true
registers:
body: |
  bb.0:
    successors: %bb.1, %bb.2
    %0:b64 = IMPLICIT_DEF
    %1:b32 = IMPLICIT_DEF
    %2:b1 = IMPLICIT_DEF
    CBranch %2, %bb.2
    GOTO %bb.1
  bb.1:
    %3:b32 = ADD32rr %1, %1
    %4:b32 = LD_i32 0, 0, 1, 3, 32, -1, %0, 0 :: (load (s32), addrspace 1)
    ST_i32 %1, 0, 0, 1, 32, %0, 4 :: (store (s32), addrspace 1)
    %5:b32 = contract FMULf32rr %1, %1, 0
    %6:b32 = ADD32rr %3, %1
  bb.2:
    Return
...
)";

constexpr unsigned Value = 0, Load = 1, Store = 2, Product = 3, Reader = 4;

/// What is said once Change has changed the code; empty where nothing is.
std::string check(function_ref<void(MachineFunction &)> Change) {
  MachineText Code(Text);
  if (!Code)
    return "unreadable";
  MachineFunction &MF = Code.function("f");
  PlaceSnapshot Original(MF);
  Change(MF);
  if (Error E = checkHoisting(Original, MF, nvptxOpcodes()))
    return toString(std::move(E));
  return "";
}

MachineInstr &guarded(MachineFunction &MF, unsigned Number) {
  return *std::next(MF.getBlockNumbered(1)->begin(), Number);
}

/// Moves an instruction from behind the guard ahead of the Place-th one there.
void hoist(MachineFunction &MF, unsigned Number, unsigned Place = 3) {
  MachineBasicBlock &Ahead = MF.front();
  Ahead.splice(std::next(Ahead.begin(), Place), MF.getBlockNumbered(1),
               guarded(MF, Number).getIterator());
}

TEST(HoistChecker, ArithmeticMayMove) {
  EXPECT_EQ(check([](MachineFunction &) {}), "");
  EXPECT_EQ(check([](MachineFunction &MF) { hoist(MF, Value); }), "");
  EXPECT_EQ(check([](MachineFunction &MF) {
              hoist(MF, Reader);
              hoist(MF, Value);
            }),
            "");
}

TEST(HoistChecker, OperandsHaveToBeThere) {
  const char *Early =
      "hoisting to block 0: a value is read where it is not yet there";
  EXPECT_EQ(check([](MachineFunction &MF) { hoist(MF, Reader); }), Early);
  EXPECT_EQ(check([](MachineFunction &MF) { hoist(MF, Value, 0); }), Early);
}

TEST(HoistChecker, NothingElseMayMove) {
  const char *More = "hoisting to block 0: what does more than compute has "
                     "moved";
  for (unsigned Number : {Load, Store, Product})
    EXPECT_EQ(check([&](MachineFunction &MF) { hoist(MF, Number); }), More);
}

TEST(HoistChecker, TheRestStaysAsItIs) {
  EXPECT_EQ(check([](MachineFunction &MF) {
              MachineBasicBlock &Block = *MF.getBlockNumbered(1);
              Block.splice(Block.begin(), &Block,
                           guarded(MF, Store).getIterator());
            }),
            "hoisting to block 1: an instruction stands ahead of one behind "
            "it");
  EXPECT_EQ(check([](MachineFunction &MF) {
              guarded(MF, Reader)
                  .getOperand(2)
                  .setReg(guarded(MF, Value).getOperand(0).getReg());
            }),
            "hoisting to block 1: an instruction is another");
  EXPECT_EQ(
      check([](MachineFunction &MF) { guarded(MF, Reader).eraseFromParent(); }),
      "hoisting: an instruction is lost");
}

} // namespace hoist
