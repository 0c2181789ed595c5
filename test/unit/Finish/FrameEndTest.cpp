//===- FrameEndTest.cpp - frames at the end of dynamic memory -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel whose launches have room for its frames at the end of their dynamic
// shared memory: moved by the finisher, judged by the checker.
//
//===----------------------------------------------------------------------===//

#include "regdem/Finish/Checker/FrameChecker.h"

#include "SassReader.h"
#include "regdem/Finish/Finisher.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// Kernel k with a frame of Words words that a loop indexes, and Own bytes of
/// shared memory. Before its end it does More with %r9.
std::string text(StringRef Arch, unsigned Words, unsigned Own,
                 StringRef More = "") {
  return (".version 8.0\n.target " + Arch +
          R"(
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
  .reg .b32 %r<12>;
  .reg .b64 %d<9>;
  .reg .pred %p<1>;
  .shared .align 4 .b8 own[)" +
          utostr(Own) + R"(];
  .local .align 4 .b8 frame[)" +
          utostr(4 * Words) + R"(];
  ld.param.u64 %d0, [out];
  ld.param.u32 %r0, [n];
  mov.u32 %r1, %tid.x;
  mov.u64 %d1, frame;
  st.shared.u32 [own], %r0;
  mov.u32 %r7, 0;
again:
  rem.u32 %r2, %r7, )" +
          utostr(Words) + R"(;
  mul.wide.u32 %d2, %r2, 4;
  add.s64 %d3, %d1, %d2;
  st.local.u32 [%d3], %r7;
  add.s32 %r7, %r7, %r1;
  setp.lt.u32 %p0, %r7, %r0;
  @%p0 bra again;
  bar.sync 0;
  shr.u32 %r5, %r0, 8;
  rem.u32 %r6, %r5, )" +
          utostr(Words) + R"(;
  mul.wide.u32 %d4, %r6, 4;
  add.s64 %d5, %d1, %d4;
  ld.local.u32 %r3, [%d5];
  ld.shared.u32 %r9, [own];
  )" + More +
          R"(
  add.s32 %r4, %r3, %r9;
  mul.wide.u32 %d6, %r1, 4;
  add.s64 %d7, %d0, %d6;
  st.global.u32 [%d7], %r4;
  ret;
}
)")
      .str();
}

class FrameEnd : public testing::TestWithParam<const char *> {
protected:
  std::optional<Ptxas> Assembler = cantFail(Ptxas::choose(REGDEM_UNIT_PTXAS));
  std::string Original, Finished;
  FrameResult Frame;

  void SetUp() override {
    if (!Assembler || !hasNvdisasm())
      GTEST_SKIP() << "no ptxas or nvdisasm";
  }

  /// Moves the frame of PTX's kernel k for launches of so many threads that
  /// have Stride bytes for each; 0: as many as it takes.
  void finish(const std::string &PTX, unsigned Threads, uint64_t Stride = 0) {
    Ptxas::Job Job;
    Job.PTX = PTX;
    Job.KeepCubin = true;
    Original =
        cantFail(Assembler->assemble({Job}, GetParam(), {})).front().Cubin;
    FinishSettings Settings;
    Settings.Orders["k"] = {FrameOrder::AtEnd, Threads, Stride};
    FinishedProgram Program =
        cantFail(finishProgram(Original, *Assembler, Settings));
    Finished = Program.Cubin;
    ASSERT_EQ(Program.Frames.size(), 1u);
    Frame = Program.Frames.front();
  }

  /// What the checker says of Cubin where launches of Kernel have Stride bytes
  /// a thread; "" for success.
  std::string judge(StringRef Cubin, StringRef Kernel, uint64_t Stride) const {
    FrameLimits Limits;
    Limits.AtEnd[Kernel.str()] = Stride;
    auto List = [](StringRef C, StringRef Name) {
      return sectionOf(disassemble(C), Name);
    };
    return checkFinished(Original, Cubin, List, Limits).text();
  }

  static bool has(StringRef Said, StringRef Part) {
    return Said.contains(Part);
  }
};

TEST_P(FrameEnd, MovesWithoutAKnownBlockSize) {
  for (unsigned Words : {3u, 8u, 200u}) {
    finish(text(GetParam(), Words, 40), 64);
    ASSERT_TRUE(Frame.Moved) << Words << " words: " << Frame.Reason;
    EXPECT_TRUE(Frame.AtEnd);
    EXPECT_GE(Frame.Stride, 4 * Words);
    EXPECT_EQ(Frame.Stride / Frame.Widest % 2, 1u);
    EXPECT_EQ(Frame.SharedAfter, 48 + (64 * Frame.Stride + 15) / 16 * 16);
  }
}

TEST_P(FrameEnd, TakesNoMoreThanABlockMayHave) {
  finish(text(GetParam(), 200, 40), 1024);
  EXPECT_FALSE(Frame.Moved);
  EXPECT_TRUE(has(Frame.Reason, "do not fit")) << Frame.Reason;
}

TEST_P(FrameEnd, StaysWhereLaunchesHaveOtherRoom) {
  finish(text(GetParam(), 8, 40), 64, 36);
  EXPECT_TRUE(Frame.Moved) << Frame.Reason;
  finish(text(GetParam(), 8, 40), 64, 44);
  EXPECT_FALSE(Frame.Moved);
  EXPECT_TRUE(has(Frame.Reason, "frames of 36 bytes, not 44")) << Frame.Reason;
}

TEST_P(FrameEnd, IsOnlyForLaunchesWithThatRoom) {
  finish(text(GetParam(), 8, 40), 64);
  EXPECT_EQ(judge(Finished, "k", Frame.Stride), "");
  EXPECT_TRUE(
      has(judge(Finished, "other", Frame.Stride), "no launch has room"));
  EXPECT_TRUE(has(judge(Finished, "k", Frame.Stride + 4), "it takes others"));
  EXPECT_EQ(judge(Original, "k", Frame.Stride), "");
}

TEST_P(FrameEnd, StaysWhereTheSizeOfSharedMemoryIsRead) {
  for (const char *Name : {"dynamic", "total"}) {
    finish(text(GetParam(), 8, 40,
                ("mov.u32 %r8, %" + Twine(Name) +
                 "_smem_size; add.s32 %r9, %r8, %r9;")
                    .str()),
           64);
    EXPECT_FALSE(Frame.Moved) << Name;
    EXPECT_TRUE(has(Frame.Reason, "size of shared memory is read"))
        << Frame.Reason;
  }
}

TEST_P(FrameEnd, KernelsThatAreRefusedKeepTheirFrames) {
  std::string PTX = text(GetParam(), 8, 40);
  std::string One = PTX.substr(PTX.find(".visible"));
  FinishSettings Settings;
  Settings.Orders["k"] = {FrameOrder::AtEnd, 64, 0};
  for (std::string Name : {"l", "m"}) {
    std::string Other = One;
    Other.replace(Other.find(" k("), 3, " " + Name + "(");
    PTX += Other;
    Settings.Orders[Name] = {FrameOrder::AtEnd, 64, 0};
  }
  Ptxas::Job Job;
  Job.PTX = PTX;
  Job.KeepCubin = true;
  Original = cantFail(Assembler->assemble({Job}, GetParam(), {})).front().Cubin;
  // Has the checker see something else in the place of loads.
  auto Misread = [](StringRef Cubin, StringRef Kernel) {
    auto Listing = decodeListing(Cubin, Kernel);
    for (SassInstruction &I : Listing->Code)
      if (Kernel != "m" && I.base() == "LDL") {
        I.Opcode = "LDS";
      }
    return Listing;
  };
  FinishedProgram Program =
      cantFail(finishProgram(Original, *Assembler, Settings, Misread));
  ASSERT_EQ(Program.Frames.size(), 3u);
  for (const FrameResult &F : Program.Frames) {
    EXPECT_EQ(F.Moved, F.Kernel == "m");
    EXPECT_EQ(F.Moved, !has(F.Reason, "in a form that is not known"))
        << F.Reason;
  }
}

/// Bits whose change leaves a right program: how long an instruction stalls,
/// and whether factors have signs.
bool mayDiffer(unsigned Bit) {
  return (Bit >= 105 && Bit <= 109) || Bit == 64 + 9;
}

TEST_P(FrameEnd, NoChangedBitOfItsPlaceIsAccepted) {
  finish(text(GetParam(), 8, 40), 64);
  ASSERT_TRUE(Frame.Moved);
  SassListing Listing = disassemble(Original);
  FrameLimits Limits;
  Limits.AtEnd["k"] = Frame.Stride;
  auto List = [&](StringRef, StringRef Kernel) {
    return sectionOf(Listing, Kernel);
  };
  unsigned Instructions = 0;
  for (size_t At = 0; At + 16 <= Finished.size(); At += 16) {
    // IMAD R1, R…, -Stride, R…: the last one of the set-up.
    uint64_t Low = 0;
    memcpy(&Low, &Finished[At], sizeof(Low));
    if (Low >> 32 != (0xffffffffu & -Frame.Stride) || (Low >> 16 & 0xff) != 1 ||
        (Low & 0xfff) != 0x824)
      continue;
    for (unsigned Bit = 0; Bit != 128; ++Bit) {
      if (mayDiffer(Bit))
        continue;
      std::string Mutant = Finished;
      size_t Place = At + Bit / 8;
      Mutant[Place] = static_cast<char>(Mutant[Place] ^ 1 << Bit % 8);
      std::string Said = checkFinished(Original, Mutant, List, Limits).text();
      EXPECT_FALSE(Said.empty()) << "bit " << Bit;
    }
    ++Instructions;
  }
  EXPECT_EQ(Instructions, 1u);
}

INSTANTIATE_TEST_SUITE_P(Finish, FrameEnd, testing::Values("sm_80", "sm_90"),
                         [](const auto &Info) { return Info.param; });

} // namespace
