//===- ProgramRecordTest.cpp - decisions carried to the finish --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/ProgramRecord.h"
#include "regdem/Decision/Builds/Build.h"
#include "regdem/Finish/Finisher.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

const LaunchRow Row = {129,   256,   1,   4096,      72,       false,
                       false, false, 0.5, {2, 5, 5}, {1, 6, 6}};

ProgramRecord sample() {
  KernelRecord In, Out, Build;
  In.Kernel = "in_place";
  In.Recipe = "cap=40 frame=part:108";
  In.Frame = {FrameOrder::Part, 256, 108};
  In.Keep.Threads = 256;
  In.Keep.IsExact = true;
  In.Keep.DynamicShared = 20000;
  In.Keep.BlocksPerSM = 3;
  In.Keep.MaxRegs = 40;
  In.Expected = {40, 27664, 0, 96};
  Out.Kernel = "at_launch";
  Out.Recipe = "stock";
  Out.Keep.KeepsAllBlocks = true;
  Out.Rows = {Row};
  Build.Kernel = "at_launch$regdem1";
  Build.Recipe = "frame=end";
  Build.Frame = {FrameOrder::AtEnd, 256, 72};
  Build.Keep.Threads = 256;
  Build.Keep.DynamicShared = 0;
  Build.Expected = {64, 0, 72, 0};
  return {"sm_90", {In, Out, Build}, ""};
}

std::string problemOf(StringRef Text) {
  auto Read = parseRecord(Text);
  return Read ? "" : toString(Read.takeError());
}

TEST(ProgramRecordTest, TagOfTheFileIsReadBack) {
  ProgramRecord Written = sample();
  EXPECT_EQ(cantFail(parseRecord(toText(Written))).Tag, "");
  Written.Tag = "_6d830dbb56fea300";
  EXPECT_EQ(cantFail(parseRecord(toText(Written))).Tag, Written.Tag);
}

TEST(ProgramRecordTest, TextIsReadBack) {
  ProgramRecord Written = sample();
  ProgramRecord Read = cantFail(parseRecord(toText(Written)));
  EXPECT_EQ(toText(Read), toText(Written));
  ASSERT_EQ(Read.Kernels.size(), 3u);
  const KernelRecord &In = Read.Kernels[0];
  EXPECT_EQ(In.Frame.How, FrameOrder::Part);
  EXPECT_EQ(In.Frame.Stride, 108u);
  EXPECT_EQ(In.Keep.Threads, 256u);
  EXPECT_TRUE(In.Keep.IsExact);
  EXPECT_EQ(In.Keep.DynamicShared, 20000u);
  EXPECT_EQ(In.Keep.BlocksPerSM, 3u);
  EXPECT_EQ(In.Expected.StaticShared, 27664u);
  EXPECT_EQ(In.Expected.FrameBytes, 96u);
  const KernelRecord &Out = Read.Kernels[1];
  EXPECT_EQ(Out.Frame.How, FrameOrder::Stays);
  EXPECT_FALSE(Out.Keep.DynamicShared);
  EXPECT_TRUE(Out.Keep.KeepsAllBlocks);
  EXPECT_EQ(Out.Rows.size(), 1u);
  EXPECT_EQ(Read.Kernels[2].Frame.Threads, 256u);
}

TEST(ProgramRecordTest, OtherTextIsRefused) {
  EXPECT_NE(problemOf("no JSON"), "");
  EXPECT_NE(problemOf("[]"), "");
  EXPECT_NE(problemOf("{\"version\":3,\"arch\":\"sm_90\",\"kernels\":[]}"), "");
  EXPECT_NE(problemOf("{\"version\":4,\"kernels\":[]}"), "");
  const std::string Good = toText(sample());
  EXPECT_EQ(problemOf(Good), "");
  const std::pair<const char *, const char *> Changes[] = {
      {"\"frame\":\"part\"", "\"frame\":\"half\""},
      {"\"stride\":108", "\"stride\":-1"},
      {"\"threads\":256", "\"threads\":1025"},
      {"\"blocks_per_sm\":3", "\"blocks_per_sm\":33"},
      {"\"max_regs\":40", "\"max_regs\":256"},
      {"\"dynamic_smem\":20000", "\"dynamic_smem\":\"all\""},
      {"\"exact_threads\":true", "\"exact_threads\":1"},
      {"\"static_smem\":27664,", ""},
      {"\"recipe\"", "\"moon\""},
      {"\"launches\":[", "\"launches\":[7,"}};
  for (auto [From, To] : Changes) {
    std::string Text = Good;
    ASSERT_NE(Text.find(From), std::string::npos) << From;
    Text.replace(Text.find(From), StringRef(From).size(), To);
    EXPECT_NE(problemOf(Text), "") << Text;
  }
}

TEST(ProgramRecordTest, KernelsWithoutAnOrderStay) {
  FinishSettings Settings = settingsFor(sample());
  EXPECT_TRUE(Settings.OnlyOrders);
  EXPECT_EQ(Settings.Orders.at("at_launch").How, FrameOrder::Stays);
  EXPECT_EQ(Settings.Promised.of("in_place").BlocksPerSM, 3u);
  EXPECT_EQ(Settings.Promised.of("another").BlocksPerSM, 0u);
}

/// Whether a launch takes the build where its program has Now.
bool isTaken(KernelFigures Now) {
  ProgramRecord Record = sample();
  dropUnfit(Record, {{"at_launch$regdem1", Now}});
  return !Record.find("at_launch")->Rows.empty();
}

TEST(ProgramRecordTest, RowsNeedTheBuildThatWasExpected) {
  EXPECT_TRUE(isTaken({64, 0, 0, 0}));
  EXPECT_FALSE(isTaken({64, 0, 0, 48})) << "its frame has stayed";
  EXPECT_FALSE(isTaken({255, 0, 0, 0})) << "an SM holds fewer blocks";
  EXPECT_FALSE(isTaken({64, 200000, 0, 0})) << "it could not be launched";
  ProgramRecord Record = sample();
  dropUnfit(Record, {});
  EXPECT_TRUE(Record.find("at_launch")->Rows.empty()) << "it is not there";
}

TEST(ProgramRecordTest, FramesOfBuildsAreOrders) {
  Build V;
  EXPECT_EQ(frameOf(V, 128).How, FrameOrder::Stays);
  V.MovedBytes = 48;
  V.FrameStride = 52;
  EXPECT_EQ(frameOf(V, 128).How, FrameOrder::Whole);
  V.FrameBytes = 16;
  EXPECT_EQ(frameOf(V, 128).How, FrameOrder::Part);
  V.FrameBytes = 0;
  V.ThreadBytes = 52;
  FrameOrder Order = frameOf(V, 128);
  EXPECT_EQ(Order.How, FrameOrder::AtEnd);
  EXPECT_EQ(Order.Threads, 128u);
  EXPECT_EQ(Order.Stride, 52u);
}

} // namespace
