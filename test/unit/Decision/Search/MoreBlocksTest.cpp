//===- MoreBlocksTest.cpp - where more blocks may not pay -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grid and the memory are not known. More blocks pay where there are enough
// of them and where warps wait.
//
//===----------------------------------------------------------------------===//

#include "FreeChoiceHarness.h"

using namespace regdem;

namespace {

// A launch of few blocks has nothing of more warps but what they cost.
TEST_F(FreeChoiceTest, MoreBlocksAreNotWorthMuchMoreTimeOfALoneOne) {
  unsigned Loads = 0;
  Code = [&](const Variant &V) { // 3 blocks as stock, 4 with 64 registers
    return waiting(V.MaxRegs == 64 ? Loads : V.MaxRegs ? 500 : 50);
  };
  for (auto [Taken, Cap] : {std::pair(56u, 64u), std::pair(59u, 0u)}) {
    Loads = Taken;
    auto S = search();
    ASSERT_TRUE(S);
    EXPECT_GT(S->Free->Predicted->Gain, 0.035) << Taken;
    EXPECT_EQ(S->Free->MaxRegs, Cap) << Taken;
  }
}

/// Loads, each of which Sums follow: enough for six warps to issue all the time
/// where the loads hit L1, but not where they come from memory.
VariantCode loading(unsigned Sums) {
  TraceStep Load, Use;
  Load.Unit = TraceUnit::GlobalLoad;
  Load.WriteBarrier = 0;
  Use.Unit = TraceUnit::ALU;
  Use.WaitMask = 1;
  VariantCode C;
  for (unsigned I = 0; I != 50; ++I) {
    C.Trace.push_back(Load);
    C.Trace.insert(C.Trace.end(), Sums, Use);
  }
  return C;
}

TEST_F(FreeChoiceTest, SpillCodeForMoreBlocksMustNotLoseWhereDataIsInL1) {
  unsigned Sums = 0;
  Code = [&](const Variant &V) { // 3 blocks as stock, 4 with 64 registers
    bool IsCap = V.What == Decision::Cap && V.MaxRegs == 64;
    return !V.MaxRegs ? loading(10) : IsCap ? loading(Sums) : waiting(500);
  };
  struct Case {
    unsigned Sums, Spilled, Cap;
  };
  for (Case C : {Case{11, 0, 64}, Case{11, 2, 0}, Case{9, 2, 64}}) {
    Sums = C.Sums;
    SpilledWords = [C](const Variant &V) {
      return V.MaxRegs == 64 ? C.Spilled : 0;
    };
    auto S = search();
    ASSERT_TRUE(S);
    EXPECT_EQ(S->Free->MaxRegs, C.Cap) << C.Sums << ' ' << C.Spilled;
  }
}

} // namespace
