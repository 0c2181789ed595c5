//===- DivergenceTest.cpp - whether the threads of a warp may part --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/Divergence.h"

#include "IRText.h"
#include "MachineText.h"

using namespace llvm;
using namespace regdem;

namespace divergence {

/// For a kernel that chooses by Ahead whether to enter a loop, in the loop by
/// Within, and stays there for Count iterations; then AtEnd follows.
bool diverges(StringRef Ahead, StringRef Within, StringRef Count,
              StringRef AtEnd = "store i32 7, ptr %p") {
  std::string Text = (R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @f(ptr %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = icmp ult i32 %t, 7
  %all = icmp ult i32 %n, 7
  br i1 )" + Ahead + R"(, label %loop, label %done
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  br i1 )" + Within + R"(, label %store, label %latch
store:
  store i32 %i, ptr %p
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, )" +
                      Count + R"(
  br i1 %more, label %loop, label %done
done:
  )" + AtEnd + R"(
  ret void
}
)")
                         .str();
  LLVMContext Context;
  auto M = test::parseModule(Text, Context);
  std::unique_ptr<TargetMachine> TM = test::createNVPTXMachine();
  return hasLoopsAmidDivergence(*M->getFunction("f"), *TM);
}

TEST(Divergence, ThreadsThatPartMayMeetAgain) {
  EXPECT_FALSE(diverges("%all", "%all", "%n"));
  EXPECT_TRUE(diverges("%mine", "%all", "%n"));
  EXPECT_TRUE(diverges("%all", "%mine", "%n"));
  EXPECT_TRUE(diverges("%all", "%all", "%t")); // Some leave sooner.
}

TEST(Divergence, ThreadsThatEndMeetNobody) {
  EXPECT_FALSE(diverges("%mine", "%all", "%n", ""));
  EXPECT_FALSE(diverges("%all", "%all", "%t", ""));
  EXPECT_TRUE(diverges("%all", "%mine", "%n", ""));
}

TEST(Divergence, WithoutLoopsItDoesNotMatter) {
  LLVMContext Context;
  auto M = test::parseModule(R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @f(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = icmp ult i32 %t, 7
  br i1 %mine, label %store, label %done
store:
  store i32 1, ptr %p
  br label %done
done:
  store i32 7, ptr %p
  ret void
}
)",
                             Context);
  std::unique_ptr<TargetMachine> TM = test::createNVPTXMachine();
  EXPECT_FALSE(hasLoopsAmidDivergence(*M->getFunction("f"), *TM));
}

} // namespace divergence
