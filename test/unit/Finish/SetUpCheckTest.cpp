//===- SetUpCheckTest.cpp - what set-up code leaves in R1 -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words are from code by ptxas 13.0 for sm_90 that computes a stack pointer
// from all that one can depend on.
//
//===----------------------------------------------------------------------===//

#include "Finish/Checker/SetUpCheck.h"

#include "SassTexts.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::framecheck;

namespace {

constexpr Word Branch = {0xfffffff400d07947, 0x000fea000383ffff};

std::vector<Word> threeDimensions() {
  return {
      {0x0000000000037919, 0x000e2e0000008800}, // S2R R3, SR_CgaCtaId
      {0x00000b00ff007b82, 0x000e620000000800}, // LDC R0, c[0x0][0x2c]
      {0x0000040000027802, 0x000fe20000000f00}, // MOV R2, 0x400
      {0x0000000000047ab9, 0x000fe20000000800}, // ULDC UR4, c[0x0][0x0]
      {0x0000000000047919, 0x000ea20000002200}, // S2R R4, SR_TID.Y
      {0x0000010000057ab9, 0x000fe20000000800}, // ULDC UR5, c[0x0][0x4]
      {0x0000000000077919, 0x000ea20000002300}, // S2R R7, SR_TID.Z
      {0x0000000000057919, 0x000ee20000002100}, // S2R R5, SR_TID.X
      {0x0000000f00007810, 0x002fc40007ffe0ff}, // IADD3 R0, R0, 0xf, RZ
      {0x0000000203037211, 0x001fe400078ec0ff}, // LEA R3, R3, R2, 0x18
      {0xfffffff000027812, 0x000fc800078ec0ff}, // LOP3.LUT R2, R0, 0xfffffff0
      {0x0000005002037810, 0x000fe20007ffe003}, // IADD3 R3, R2, 0x50, R3
      {0x0000000507007c24, 0x004fc8000f8e0204}, // IMAD R0, R7, UR5, R4
      {0x0000000400007c24, 0x008fe2000f8e0205}, // IMAD R0, R0, UR4, R5
      {0x0000003f00047c82, 0x000fc60008000000}, // UMOV UR4, URZ
      {0x0000005000017824, 0x000fca00078e0203}  // IMAD R1, R0, 0x50, R3
  };
}

class SetUpCheck : public testing::Test {
protected:
  std::vector<Word> Code = threeDimensions();
  KernelClaims Claims;
  Word End = Branch;

  void SetUp() override {
    Claims.Threads = 128;
    Claims.Registers = 8;
  }
  Expected<StackSetUp> check() const {
    std::vector<SetUpInstruction> Decoded;
    for (Word W : Code) {
      std::optional<SetUpInstruction> I = decodeSetUp(W);
      if (!I)
        return createStringError("not decoded");
      Decoded.push_back(*I);
    }
    return checkSetUp(Decoded, End, Claims, 90, 0);
  }
  /// The error; "" if there is none.
  std::string problem() const {
    Expected<StackSetUp> S = check();
    return S ? "" : toString(S.takeError());
  }
};

TEST_F(SetUpCheck, ReadsWhatR1DependsOn) {
  Expected<StackSetUp> S = check();
  ASSERT_TRUE(bool(S)) << toString(S.takeError());
  EXPECT_EQ(S->Base, 0x400u);
  EXPECT_EQ(S->FrameBytes, 0x50u);
  EXPECT_FALSE(S->FromEnd);
  EXPECT_EQ(S->Written.size(), 8u); // R0, R2 to R5, R7, UR4, UR5.
}

TEST_F(SetUpCheck, FindsTheWindowOfSharedMemory) {
  EXPECT_FALSE(check()->Window);
  // S2UR UR62, SR_SWINHI, by ptxas but for its result; the branch waits for it.
  Code.insert(Code.begin(), {0x00000000003e79c3, 0x000f220000002f00});
  EXPECT_EQ(problem(), "offset 0x110: set-up code: a result is not waited for");
  End.High |= 1ull << (52 + 4);
  Expected<StackSetUp> S = check();
  ASSERT_TRUE(bool(S)) << toString(S.takeError());
  EXPECT_EQ(S->Window, 62u);
  EXPECT_EQ(S->Base, 0x400u);
  // SR_SWINLO and others hold something else.
  for (unsigned Bit = 8; Bit != 16; ++Bit) {
    Code.front().High ^= 1ull << Bit;
    Expected<StackSetUp> Other = check();
    EXPECT_FALSE(Other && Other->Window) << Bit;
    consumeError(Other.takeError());
    Code.front().High ^= 1ull << Bit;
  }
}

TEST_F(SetUpCheck, ReadsFramesFromTheEnd) {
  // IMAD R1, R0, -0x50, R3 with IADD3 R3, R2, 0x10, R3.
  Code[11].Low = (Code[11].Low & 0xffffffff) | 0x10ull << 32;
  Code.back().Low = (Code.back().Low & 0xffffffff) | 0xffffffb0ull << 32;
  Expected<StackSetUp> S = check();
  ASSERT_TRUE(bool(S)) << toString(S.takeError());
  EXPECT_TRUE(S->FromEnd);
  EXPECT_EQ(S->Base, 0x410u);
  EXPECT_EQ(S->FrameBytes, 0x50u);
}

TEST_F(SetUpCheck, OneDimensionNeedsToBeRequired) {
  // S2R R1, SR_TID.X; IMAD R1, R1, 0x50, R2 with R2 = 0x450 + c[0x0][0x2c],
  // rounded up.
  Code = {{0x0000000000017919, 0x000e240000002100},
          {0x00000b0000027a02, 0x000fca0000000f00},
          {0x0000000f02027810, 0x000fca0007ffe0ff},
          {0xfffffff002027812, 0x000fca00078ec0ff},
          {0x0000045002027810, 0x000fca0007ffe0ff},
          {0x0000005001017824, 0x001fca00078e0202}};
  EXPECT_EQ(problem(),
            "offset 0x0: R1 is not set to the end of a frame for each thread");
  Claims.RequiredThreads[0] = 128;
  Claims.RequiredThreads[1] = Claims.RequiredThreads[2] = 1;
  Expected<StackSetUp> S = check();
  ASSERT_TRUE(bool(S)) << toString(S.takeError());
  EXPECT_EQ(S->Base, 0x400u);
}

TEST_F(SetUpCheck, RefusesFramesThatMayOverlapDynamicMemory) {
  // IADD3 R3, RZ, 0x50, R3.
  Code[11].Low = 0x00000050ff037810;
  EXPECT_EQ(problem(),
            "offset 0x0: R1 is not set to the end of a frame for each thread");
}

TEST_F(SetUpCheck, RefusesAMissingDimension) {
  Code[12].High = 0x004fc8000f8e02ff; // IMAD R0, R7, UR5, RZ
  EXPECT_NE(problem(), "");
}

TEST_F(SetUpCheck, RefusesDimensionsInAnotherOrder) {
  std::swap(Code[3].Low, Code[5].Low); // The sizes that are read into UR4, UR5.
  Code[3].Low = 0x0000010000047ab9;
  Code[5].Low = 0x0000000000057ab9;
  EXPECT_EQ(problem(),
            "offset 0x0: R1 is not set to the end of a frame for each thread");
}

TEST_F(SetUpCheck, RefusesARankInOtherBits) {
  Code[9].High = 0x001fe400078eb8ff; // LEA R3, R3, R2, 0x17
  EXPECT_EQ(problem(),
            "offset 0x0: R1 is not set to the end of a frame for each thread");
}

TEST_F(SetUpCheck, RefusesDynamicMemoryThatIsNotRoundedUp) {
  Code[8].Low = 0x0000000e00007810; // IADD3 R0, R0, 0xe, RZ
  EXPECT_EQ(problem(), "offset 0xa0: set-up code: its result is not known");
}

TEST_F(SetUpCheck, RefusesAnotherMask) {
  Code[10].Low = 0xfffffff800027812;
  EXPECT_EQ(problem(), "offset 0xa0: set-up code: its result is not known");
}

TEST_F(SetUpCheck, RefusesALaunchValueThatIsNotKnown) {
  Code[1].Low = 0x00000c00ff007b82; // LDC R0, c[0x0][0x30]
  EXPECT_EQ(problem(), "offset 0x10: set-up code: it reads what is not known");
}

TEST_F(SetUpCheck, RefusesARegisterThatNothingWrote) {
  Code[8].Low = 0x0000000f06007810; // IADD3 R0, R6, 0xf, RZ
  EXPECT_EQ(problem(), "offset 0x80: set-up code: it reads what is not known");
}

TEST_F(SetUpCheck, RefusesARegisterThatTheKernelLacks) {
  Claims.Registers = 7;
  EXPECT_EQ(problem(), "offset 0x60: set-up code: it writes a register that "
                       "the kernel does not have");
}

TEST_F(SetUpCheck, RefusesAResultThatIsNotWaitedFor) {
  Code[8].High &= ~(1ull << 53);
  EXPECT_EQ(problem(), "offset 0x80: set-up code: a register's scoreboard was "
                       "not waited for");
}

TEST_F(SetUpCheck, RefusesAResultThatIsNeverWaitedFor) {
  // S2R R6, SR_TID.X before the branch, scoreboard 4.
  Code.push_back({0x0000000000067919, 0x000f240000002100});
  EXPECT_EQ(problem(), "offset 0x110: set-up code: a result is not waited for");
}

TEST_F(SetUpCheck, RefusesAResultThatIsReadTooEarly) {
  // IMAD, IMAD: four cycles.
  Code[12].High = (Code[12].High & ~(15ull << 41)) | 3ull << 41;
  EXPECT_EQ(problem(), "offset 0xd0: set-up code: a register is used before "
                       "its value arrives");
}

TEST_F(SetUpCheck, RefusesToReturnTooEarly) {
  // HFMA2.MMA R6, -RZ, RZ, 0, 0 takes ten cycles.
  Code.push_back({0x00000000ff067435, 0x000fe200000001ff});
  EXPECT_EQ(problem(), "offset 0x110: set-up code: a result may arrive too "
                       "late for the kernel");
}

TEST_F(SetUpCheck, RefusesToKeepWhatIsNotReadNext) {
  Code[12].High |= 1ull << 58; // R7.reuse
  EXPECT_EQ(problem(), "offset 0xc0: set-up code: it keeps an operand that the "
                       "next instruction does not read");
}

TEST_F(SetUpCheck, RefusesAScoreboardForAFixedLatency) {
  Code[2].High &= ~(7ull << 46);
  EXPECT_EQ(problem(), "offset 0x20: set-up code: it takes a scoreboard "
                       "although its latency is fixed");
}

TEST_F(SetUpCheck, RefusesAWaitForNothing) {
  Code[2].High |= 1ull << 57;
  EXPECT_EQ(problem(), "offset 0x20: set-up code: it waits for a scoreboard "
                       "that nothing holds");
}

TEST(SetUpForms, OnlyWhatTheTableHas) {
  for (Word W : threeDimensions())
    EXPECT_TRUE(decodeSetUp(W).has_value());
  // A guard, a store, a branch, a word for no instruction.
  EXPECT_FALSE(decodeSetUp({0x0000000000030919, 0x000e2e0000008800}));
  EXPECT_FALSE(decodeSetUp({0x0000400003007388, 0x000fe20000000800}));
  EXPECT_FALSE(decodeSetUp(Branch));
  EXPECT_FALSE(decodeSetUp({0, 0}));
  // IMAD R1, R3, 0x20, RZ, which ptxas writes as IMAD.SHL.U32, without signs.
  EXPECT_FALSE(decodeSetUp({0x0000002003017824, 0x001fca00078e02ff}));
  EXPECT_TRUE(decodeSetUp({0x0000002003017824, 0x001fca00078e00ff}));
}

TEST(SetUpForms, OperandsAreThoseThatAreDecoded) {
  std::vector<Word> Code = threeDimensions();
  Code.push_back({0x00000018ff057435, 0x000fc600000001ff}); // HFMA2.MMA
  for (Word W : Code) {
    SassOperands Decoded = shown(decodeOne(W.Low, W.High).Operands);
    for (SassOperand &O : Decoded) {
      O.IsKept = false;
      if (O.isNumber())
        O.Number = static_cast<uint32_t>(O.Number);
    }
    SetUpInstruction I = *decodeSetUp(W);
    ASSERT_FALSE(Decoded.empty());
    EXPECT_EQ(I.Result, Decoded.front());
    for (const SassOperand &O : I.Sources)
      EXPECT_TRUE(O.What == SassOperand::Kind::Name ||
                  is_contained(drop_begin(Decoded), O))
          << W.Low;
    EXPECT_TRUE(!I.Shift || Decoded[3] == SassOperand::number(I.Shift));
  }
}

} // namespace
