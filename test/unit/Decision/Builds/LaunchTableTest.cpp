//===- LaunchTableTest.cpp - which build a launch takes ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/LaunchTable.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

const LaunchTables Tables{
    "sm_90a",
    {{"_Z4stepPf",
      {{97, 128, 2, 0, 0, false, 0.25, {9, 2, 7}, {4, 1, 3}},
       {129, 256, 1, 4096, 72, true, 0.5, {1, 5, 5}, {1, 6, 6}}}},
     {"other", {{993, 1024, 3, 16, 4, false, 0, {}, {}}}}}};

void expectSame(const BlockTimes &A, const BlockTimes &B) {
  EXPECT_EQ(A.Blocks, B.Blocks);
  EXPECT_EQ(A.Alone, B.Alone);
  EXPECT_EQ(A.Full, B.Full);
}

std::string problemOf(StringRef Text) {
  auto Read = parseLaunchTables(Text);
  return Read ? "" : toString(Read.takeError());
}

std::string withRow(StringRef Row) {
  return ("{\"version\":3,\"arch\":\"sm_90\",\"kernels\":[{\"kernel\":\"k\","
          "\"launches\":[" +
          Row + "]}]}")
      .str();
}

TEST(LaunchTableTest, TextIsReadBack) {
  auto Read = parseLaunchTables(toText(Tables));
  ASSERT_TRUE(static_cast<bool>(Read));
  EXPECT_EQ(Read->ArchName, "sm_90a");
  ASSERT_EQ(Read->Kernels.size(), 2u);
  for (size_t I = 0; I != 2; ++I) {
    EXPECT_EQ(Read->Kernels[I].Kernel, Tables.Kernels[I].Kernel);
    const std::vector<LaunchRow> &Rows = Tables.Kernels[I].Rows;
    ASSERT_EQ(Read->Kernels[I].Rows.size(), Rows.size());
    for (size_t N = 0; N != Rows.size(); ++N) {
      const LaunchRow &R = Read->Kernels[I].Rows[N];
      EXPECT_EQ(R.FromThreads, Rows[N].FromThreads);
      EXPECT_EQ(R.Threads, Rows[N].Threads);
      EXPECT_EQ(R.Build, Rows[N].Build);
      EXPECT_EQ(R.MostDynamic, Rows[N].MostDynamic);
      EXPECT_EQ(R.ThreadBytes, Rows[N].ThreadBytes);
      EXPECT_EQ(R.MovesFrame, Rows[N].MovesFrame);
      EXPECT_EQ(R.Gain, Rows[N].Gain);
      expectSame(R.Own, Rows[N].Own);
      expectSame(R.Stock, Rows[N].Stock);
    }
  }
}

TEST(LaunchTableTest, OtherTextIsRefused) {
  EXPECT_NE(problemOf("no JSON"), "");
  EXPECT_NE(problemOf("[]"), "");
  EXPECT_NE(problemOf("{\"version\":1,\"arch\":\"sm_90\",\"kernels\":[]}"), "");
  EXPECT_NE(problemOf("{\"version\":3,\"kernels\":[]}"), "");
}

TEST(LaunchTableTest, RowsThatNoLaunchCanTakeAreRefused) {
  const std::string Good =
      "{\"from_threads\":129,\"threads\":256,\"build\":1,"
      "\"cycles\":{\"blocks_per_sm\":4,\"alone\":70,\"full\":90},"
      "\"stock_cycles\":{\"blocks_per_sm\":2,\"alone\":60,\"full\":65},"
      "\"most_dynamic_smem\":16,\"thread_bytes\":4,\"moves_frame\":true}";
  EXPECT_EQ(problemOf(withRow(Good)), "");
  EXPECT_NE(problemOf(withRow("")), "");
  EXPECT_NE(problemOf(withRow("7")), "");
  const std::pair<const char *, const char *> Changes[] = {
      {"\"threads\":256", "\"threads\":0"},
      {"\"threads\":256", "\"threads\":1025"},
      {"\"threads\":256", "\"threads\":128"},
      {"\"from_threads\":129,", ""},
      {"\"build\":1", "\"build\":0"},
      {"\"build\":1", "\"build\":4"},
      {"\"cycles\"", "\"moons\""},
      {"\"stock_cycles\"", "\"moons\""},
      {"\"blocks_per_sm\":4", "\"blocks_per_sm\":0"},
      {"\"blocks_per_sm\":4", "\"blocks_per_sm\":65"},
      {"\"alone\":70", "\"alone\":0"},
      {"\"alone\":70", "\"alone\":91"},
      {",\"full\":65", ""},
      {"\"most_dynamic_smem\":16,", ""},
      {"\"thread_bytes\":4", "\"thread_bytes\":-4"},
      {",\"moves_frame\":true", ""}};
  for (auto [From, To] : Changes) {
    std::string Row = Good;
    Row.replace(Row.find(From), StringRef(From).size(), To);
    EXPECT_NE(problemOf(withRow(Row)), "") << Row;
  }
}

TEST(LaunchTableTest, BuildsAreNamedAfterTheKernel) {
  EXPECT_EQ(launchBuildName("_Z4stepPf", 3), "_Z4stepPf$regdem3");
}

} // namespace
