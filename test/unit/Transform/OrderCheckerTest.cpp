//===- OrderCheckerTest.cpp - what a new order may not change -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineText.h"
#include "Transform/FlowChecker.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace order {

constexpr const char *Load = "%10:b32 = LD_i32 0, 0, 1, 3, 32, -1, %0, 0 :: "
                             "(load (s32), addrspace 1)\n";
constexpr const char *Constant =
    "%12:b32 = LD_i32 0, 0, 1, 3, 32, -1, %0, 8 :: "
    "(invariant load (s32), addrspace 1)\n";
constexpr const char *ReadOnly = "%13:b32 = LD_GLOBAL_NC_i32 3, 32, -1, %0, "
                                 "12\n";
constexpr const char *Assembly = "INLINEASM &\"@$0 exit;\", 1, 262153, %1\n";
constexpr const char *StoreA = "ST_i32 %1, 0, 0, 1, 32, %0, 16 :: "
                               "(store (s32), addrspace 1)\n";
constexpr const char *StoreB = "ST_i32 %1, 0, 0, 1, 32, %0, 20 :: "
                               "(store (s32), addrspace 1)\n";
constexpr const char *Write = "%14:b32 = ADD32rr %1, %1\n";
constexpr const char *Rewrite = "%14:b32 = ADD32rr %1, %2\n";
constexpr const char *Read = "%15:b32 = ADD32rr %14, %1\n";

/// What is said of the instructions of Body in the order Places; empty where
/// nothing is.
std::string check(const std::vector<std::string> &Body,
                  const std::vector<unsigned> &Places, bool Drop = false) {
  std::string Text = "---\nname: f\nbody: |\n  bb.0:\n"
                     "    %0:b64 = IMPLICIT_DEF\n    %1:b32 = IMPLICIT_DEF\n"
                     "    %2:b32 = IMPLICIT_DEF\n    GOTO %bb.1\n  bb.1:\n";
  for (const std::string &Line : Body)
    Text += "    " + Line;
  Text += "    Return\n...\n";
  MachineText Code(Text);
  if (!Code)
    return "";
  const NVPTXOpcodes &Opcodes = nvptxOpcodes();
  MachineBasicBlock &Block = *std::next(Code.function("f").begin());
  FlowSnapshot Original(Block, Opcodes);
  std::vector<MachineInstr *> Insts;
  for (MachineInstr &I : Block)
    Insts.push_back(&I);
  for (unsigned Place : Places)
    Block.splice(std::prev(Block.end()), &Block, Insts[Place]);
  if (Drop)
    Block.begin()->eraseFromParent();
  if (Error E = Original.check())
    return toString(std::move(E));
  return "";
}

// Its address may not be valid at other times, unlike those of
// OrderMutationTest.
TEST(OrderChecker, ConstantsMayBeReadAtAnyTime) {
  EXPECT_EQ(check({Constant, StoreA}, {1, 0}), "");
}

// That all mistakes are found is tested by OrderMutationTest.
TEST(OrderChecker, SaysWhatIsWrong) {
  const std::string Block = "new order: block 1: ";
  EXPECT_EQ(check({Load, StoreA}, {1, 0}),
            Block + "instruction 1 reads memory at another time");
  EXPECT_EQ(check({Assembly, ReadOnly}, {1, 0}),
            Block + "instruction 0 loads ahead of what may end the thread");
  EXPECT_EQ(check({StoreA, StoreB}, {1, 0}),
            Block + "effects have changed places");
  EXPECT_EQ(check({Write, Read, Rewrite}, {0, 2, 1}),
            Block + "instruction 2 reads what others wrote");
  EXPECT_EQ(check({Write, Rewrite}, {1, 0}),
            Block + "a register holds something else at the end");
  EXPECT_EQ(check({Write, Load}, {0, 1}, /*Drop=*/true),
            Block + "2 instructions instead of 3");
}

} // namespace order
