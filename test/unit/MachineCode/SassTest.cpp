//===- SassTest.cpp - machine code that nvdisasm has printed --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassTexts.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// Instructions of a class in the code.
size_t count(const SassKernel &K, SassClass Class) {
  size_t N = 0;
  for (const SassBlock &B : K.Blocks)
    N += count_if(B.Instructions,
                  [&](const SassInstruction &I) { return I.Class == Class; });
  return N;
}

/// Depth, iterations and whether they are known of each loop, outer first.
std::vector<std::tuple<unsigned, double, bool>> loops(const SassKernel &K) {
  std::vector<std::tuple<unsigned, double, bool>> Result;
  for (const SassLoop &L : K.Loops)
    Result.emplace_back(L.Depth, L.Trips, L.TripsKnown);
  llvm::sort(Result);
  return Result;
}

TEST(Sass, LoopsWithConstantCounts) {
  SassKernel K = mustParse(recordedSass("loops-sm_90.sass"));
  EXPECT_EQ(K.Name, "loops");
  EXPECT_EQ(K.Functions.size(), 1u);
  std::vector<std::tuple<unsigned, double, bool>> Expected{
      {1, 10, false}, {1, 37, true}, {2, 32, true}};
  EXPECT_EQ(loops(K), Expected);
  EXPECT_EQ(count(K, SassClass::FP64), 3u);
  EXPECT_EQ(count(K, SassClass::Special), 1u);
}

TEST(Sass, FrequenciesOfNestedLoopsMultiply) {
  SassKernel K = mustParse(recordedSass("loops-sm_90.sass"));
  EXPECT_EQ(K.Blocks[K.Functions[0].Entry].Frequency, 1);
  for (const SassBlock &B : K.Blocks) {
    if (B.LoopDepth == 2) {
      EXPECT_EQ(B.Frequency, 37 * 32);
    }
    if (B.Instructions.back().Opcode == "EXIT") {
      EXPECT_DOUBLE_EQ(B.Frequency, 1);
    }
  }
}

TEST(Sass, UniformLoopCountersAreCountedToo) {
  SassKernel K =
      mustParse(recordedSass("loops-sm_120-nvdisasm-12.8.sass"), "loops");
  std::vector<std::tuple<unsigned, double, bool>> Expected{
      {1, 10, false}, {1, 37, true}, {2, 32, true}};
  EXPECT_EQ(loops(K), Expected);
}

/// nvdisasm 12.8 prints the control bits of sm_100 and later beside each
/// instruction, which the encoding must agree with.
TEST(Sass, ControlBitsAreWhatTheDisassemblerSays) {
  std::string Text = recordedSass("loops-sm_120-nvdisasm-12.8.sass");
  SassKernel K = mustParse(Text);
  unsigned Compared = 0;
  for (const SassBlock &B : K.Blocks)
    for (const SassInstruction &I : B.Instructions) {
      std::string Said;
      if (I.WaitMask) {
        Said += " &req={";
        for (int N = 5; N >= 0; --N)
          if (I.WaitMask >> N & 1)
            Said += (Said.back() == '{' ? "" : ",") + std::to_string(N);
        Said += "}";
      }
      if (I.ReadBarrier != SassInstruction::NoBarrier)
        Said += " &rd=0x" + std::to_string(I.ReadBarrier);
      if (I.WriteBarrier != SassInstruction::NoBarrier)
        Said += " &wr=0x" + std::to_string(I.WriteBarrier);
      Said += I.Yield ? " ?WAIT" : " ?trans";
      Said += std::to_string(I.Stall);
      Said += I.Yield ? "_END_GROUP;" : ";";
      char Address[16];
      snprintf(Address, sizeof(Address), "/*%04x*/",
               static_cast<unsigned>(I.Address));
      StringRef Line = StringRef(Text).split(Address).second.split('\n').first;
      EXPECT_TRUE(Line.contains(Said)) << Line.str() << "\nbut read" << Said;
      ++Compared;
    }
  EXPECT_GT(Compared, 40u);
}

TEST(Sass, SwitchHasItsTargetsAsSuccessors) {
  SassKernel K = mustParse(recordedSass("branches-sm_90.sass"));
  auto Switch = find_if(K.Blocks, [](const SassBlock &B) {
    return StringRef(B.Instructions.back().Opcode) == "BRX";
  });
  ASSERT_NE(Switch, K.Blocks.end());
  EXPECT_GE(Switch->Successors.size(), 3u);
}

TEST(Sass, CalledFunctionsAreKnown) {
  SassKernel K = mustParse(recordedSass("branches-sm_90.sass"));
  ASSERT_EQ(K.Functions.size(), 3u);
  EXPECT_FALSE(K.HasUnknownCallees);
  for (unsigned F = 1; F != 3; ++F) {
    EXPECT_TRUE(
        any_of(K.Blocks, [F](const SassBlock &B) { return B.Callee == F; }));
    EXPECT_EQ(K.Blocks[K.Functions[F].Entry].Frequency, 1);
  }
}

TEST(Sass, MemoryByAddressSpace) {
  SassKernel K = mustParse(recordedSass("memory-sm_90.sass"), "memory");
  EXPECT_GT(count(K, SassClass::LocalLoad), 10u);
  EXPECT_GT(count(K, SassClass::LocalStore), 10u);
  // Three more are guarded by @!PT.
  EXPECT_EQ(count(K, SassClass::SharedLoad), 2u);
  EXPECT_EQ(count(K, SassClass::SharedStore), 1u);
  EXPECT_EQ(count(K, SassClass::GlobalStore), 9u);
  EXPECT_EQ(count(K, SassClass::AsyncCopy), 1u);
  EXPECT_EQ(count(K, SassClass::Atomic), 1u);
  EXPECT_EQ(firstOf(K, "LDGSTS").Bytes, 16u);
  EXPECT_EQ(firstOf(K, "STG.E.U8").Bytes, 1u);
  EXPECT_EQ(firstOf(K, "STS.64").Bytes, 8u);
  EXPECT_EQ(firstOf(K, "LDG.E.128").Bytes, 16u);
  EXPECT_EQ(firstOf(K, "LDL").Bytes, 4u);
}

TEST(Sass, MatrixProducts) {
  SassKernel K = mustParse(recordedSass("memory-sm_90.sass"), "product");
  EXPECT_EQ(count(K, SassClass::Tensor), 2u);
  const SassInstruction &I = firstOf(K, "HMMA.16816.F32");
  EXPECT_EQ(I.Writes.size(), 4u);
  EXPECT_GE(I.Reads.size(), 6u);
}

TEST(Sass, KernelsMustBeNamedWhereThereAreSeveral) {
  std::string Text = recordedSass("memory-sm_90.sass");
  EXPECT_EQ(whyNot(Text), "several kernels in the machine code: product, "
                          "memory");
  EXPECT_EQ(whyNot(Text, "other"), "no kernel 'other' in the machine code");
  EXPECT_EQ(whyNot(Text, "memory"), "");
}

} // namespace
