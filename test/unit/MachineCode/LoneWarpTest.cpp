//===- LoneWarpTest.cpp - what code takes without other warps -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/LoneWarp.h"

#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

constexpr unsigned NoBarrier = 7;
// As in sm_90's code: the bits above the lowest nine are the operands' form.
constexpr unsigned Add = 0x221, Load = 0x981, Nop = 0x918;

std::string code(unsigned What, uint64_t Stall,
                 uint64_t WriteBarrier = NoBarrier, uint64_t WaitMask = 0,
                 uint64_t ReadBarrier = NoBarrier) {
  char Bytes[16];
  support::endian::write64le(Bytes, What);
  support::endian::write64le(
      Bytes + 8, (Stall | WriteBarrier << 5 | ReadBarrier << 8 | WaitMask << 11)
                     << 41);
  return std::string(Bytes, sizeof(Bytes));
}

LoneWarp follow(const std::string &Code) { return followCode(Code); }

TEST(LoneWarp, AddsUpStalls) {
  LoneWarp W = follow(code(Add, 4) + code(Add, 0) + code(Add, 15));
  EXPECT_EQ(W.Instructions, 3u);
  EXPECT_EQ(W.Cycles, 20u); // At least one cycle for each.
}

TEST(LoneWarp, WaitsForEachLoadOrForBothAtOnce) {
  std::string LoadTo0 = code(Load, 1, 0), LoadTo1 = code(Load, 1, 1),
              Use0 = code(Add, 1, NoBarrier, 1),
              Use1 = code(Add, 1, NoBarrier, 2);
  LoneWarp InTurn = follow(LoadTo0 + Use0 + LoadTo1 + Use1),
           Together = follow(LoadTo0 + LoadTo1 + Use0 + Use1);
  EXPECT_EQ(InTurn.Instructions, Together.Instructions);
  EXPECT_GT(InTurn.Cycles, 800u);
  EXPECT_LT(Together.Cycles, 410u);
}

TEST(LoneWarp, WaitsForOperandsThatAreYetToBeRead) {
  LoneWarp W =
      follow(code(Load, 1, NoBarrier, 0, 2) + code(Add, 1, NoBarrier, 1 << 2));
  EXPECT_EQ(W.Cycles, 16u);
}

TEST(LoneWarp, LeavesFillingOut) {
  LoneWarp W = follow(code(Add, 4) + code(Nop, 15) + "rest");
  EXPECT_EQ(W.Instructions, 1u);
  EXPECT_EQ(W.Cycles, 4u);
}

TEST(LoneWarp, KnowsNothingOfWhatIsNoProgram) {
  LoneWarp W = followProgram("no cubin");
  EXPECT_EQ(W.Instructions, 0u);
  EXPECT_EQ(W.Cycles, 0u);
}

} // namespace
