//===- LocalReuseTest.cpp - how far apart local accesses are --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision/Model/LocalReuse.h"

#include "SassTexts.h"
#include "gtest/gtest.h"
#include <random>

using namespace regdem;
using llvm::StringRef;

namespace {

constexpr uint32_t First = TraceStep::FirstUse;
constexpr uint32_t Unknown = TraceStep::UnknownReuse;
using Distances = std::vector<uint32_t>;

/// Of the accesses to local memory, in order.
Distances distancesOf(llvm::ArrayRef<StringRef> Lines) {
  Distances Result;
  for (const TraceStep &S : summarize(mustParse(writeSass(Lines))).Trace)
    if (S.Unit == TraceUnit::LocalLoad || S.Unit == TraceUnit::LocalStore)
      Result.push_back(S.ReuseDistance);
  return Result;
}

TEST(LocalReuse, CountsWordsSinceTheLastAccess) {
  EXPECT_EQ(distancesOf({"STL [R1], R2", "STL [R1+0x4], R3", "STL [R1+0x8], R4",
                         "LDL R3, [R1+0x4]", "LDL R4, [R1+0x8]", "LDL R2, [R1]",
                         "EXIT"}),
            (Distances{First, First, First, 1, 1, 2}));
}

TEST(LocalReuse, AWordThatIsTouchedTwiceCountsOnce) {
  EXPECT_EQ(distancesOf({"STL [R1], R2", "STL [R1+0x4], R3", "LDL R3, [R1+0x4]",
                         "LDL R3, [R1+0x4]", "LDL R2, [R1]", "EXIT"}),
            (Distances{First, First, 0, 0, 1}));
}

TEST(LocalReuse, LoadsStreamThroughL1) {
  EXPECT_EQ(distancesOf({"STL [R1], R2", "LDG.E.128 R4, [R8.64]",
                         "LDG.E R3, [R8.64]", "LDL R2, [R1]", "EXIT"}),
            (Distances{First, 5}));
}

TEST(LocalReuse, WideAccessesAreAsFarAsTheirFarthestWord) {
  EXPECT_EQ(distancesOf({"STL [R1], R2", "STL [R1+0x8], R3", "STL [R1+0x4], R3",
                         "LDL.64 R2, [R1]", "STL.64 [R1+0x10], R2", "EXIT"}),
            (Distances{First, First, First, 2, First}));
}

TEST(LocalReuse, LoopsComeBack) {
  Distances Expected = {First, First};
  Expected.insert(Expected.end(), 14, 1);
  EXPECT_EQ(distancesOf({"L1:", "STL [R1+0x10], R2", "LDL R3, [R1+0x20]",
                         "@P0 BRA `(L1)", "EXIT"}),
            Expected);
}

TEST(LocalReuse, ComputedAddressesAreNotKnown) {
  EXPECT_EQ(distancesOf({"STL [R12+0x4], R2", "STL [R1+R4], R2", "STL [R1], R2",
                         "STL [R12], R2", "LDL R2, [R1]", "EXIT"}),
            (Distances{Unknown, Unknown, First, Unknown, 0}));
}

TEST(LocalReuse, StackOffsets) {
  EXPECT_EQ(stackOffset("R2, [R1]"), 0);
  EXPECT_EQ(stackOffset("[R1+0x1c], R2"), 28);
  EXPECT_FALSE(stackOffset("R2, [R1+UR4]"));
  EXPECT_FALSE(stackOffset("R2, [R10+0x4]"));
  EXPECT_FALSE(stackOffset("R2, [0x4]"));
}

// Against a list of words in the order of their last access.
TEST(LocalReuse, EqualsTheDepthInAStack) {
  std::mt19937 Random(1);
  LocalReuse Reuse;
  std::vector<TraceStep> Trace;
  std::vector<int> Stack;
  Distances Expected;
  for (int N = 0; N != 500; ++N) {
    int Word = static_cast<int>(Random() % 40);
    auto Found = std::find(Stack.rbegin(), Stack.rend(), Word);
    Expected.push_back(Found == Stack.rend()
                           ? First
                           : static_cast<uint32_t>(Found - Stack.rbegin()));
    if (Found != Stack.rend())
      Stack.erase(std::next(Found).base());
    Stack.push_back(Word);
    SassInstruction I;
    I.Operands = "R2, [R1+" + std::to_string(4 * Word) + "]";
    Trace.emplace_back();
    Trace.back().Unit = TraceUnit::LocalLoad;
    Reuse.note(I, Trace.back());
  }
  Reuse.apply(Trace);
  for (size_t N = 0; N != Trace.size(); ++N)
    EXPECT_EQ(Trace[N].ReuseDistance, Expected[N]) << "access " << N;
}

TEST(LocalReuse, SharesOfMisses) {
  TraceStep S;
  S.Unit = TraceUnit::LocalLoad;
  LocalCache L1 = {0.7, 0.25, 10};
  EXPECT_FLOAT_EQ(missShare(S, L1), 0.7F);
  S.ReuseDistance = First;
  EXPECT_FLOAT_EQ(missShare(S, L1), 1);
  S.ReuseDistance = 1;
  EXPECT_FLOAT_EQ(missShare(S, L1), 0.25F);
  S.ReuseDistance = 20;
  EXPECT_NEAR(missShare(S, L1), 0.86466, 1e-5);
  L1.Lines = 0;
  EXPECT_FLOAT_EQ(missShare(S, L1), 0.7F);
  S.Unit = TraceUnit::SharedLoad;
  EXPECT_FLOAT_EQ(missShare(S, L1), 0);
}

} // namespace
