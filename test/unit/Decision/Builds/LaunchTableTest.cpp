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

const std::vector<LaunchRow> Rows = {
    {97, 128, 2, 0, 0, true, false, true, 0.25, {9, 2, 7}, {4, 1, 3}},
    {129, 256, 1, 4096, 72, false, true, false, 0.5, {1, 5, 5}, {1, 6, 6}},
    {993, 1024, 3, 16, 4, false, false, true, 0, {}, {}}};

void expectSame(const BlockTimes &A, const BlockTimes &B) {
  EXPECT_EQ(A.Blocks, B.Blocks);
  EXPECT_EQ(A.Alone, B.Alone);
  EXPECT_EQ(A.Full, B.Full);
}

/// Whether Text, of a list of rows, is read.
bool isRead(const std::string &Text) {
  return expectedToOptional(json::parse<std::vector<LaunchRow>>(Text))
      .has_value();
}

TEST(LaunchTableTest, RowsAreReadBack) {
  std::vector<LaunchRow> Read;
  json::Path::Root Root;
  ASSERT_TRUE(fromJSON(json::Value(Rows), Read, Root));
  ASSERT_EQ(Read.size(), Rows.size());
  for (size_t N = 0; N != Rows.size(); ++N) {
    EXPECT_EQ(Read[N].FromThreads, Rows[N].FromThreads);
    EXPECT_EQ(Read[N].Threads, Rows[N].Threads);
    EXPECT_EQ(Read[N].Build, Rows[N].Build);
    EXPECT_EQ(Read[N].MostDynamic, Rows[N].MostDynamic);
    EXPECT_EQ(Read[N].ThreadBytes, Rows[N].ThreadBytes);
    EXPECT_EQ(Read[N].AnyLaunch, Rows[N].AnyLaunch);
    EXPECT_EQ(Read[N].OnlyBuild, Rows[N].OnlyBuild);
    EXPECT_EQ(Read[N].MayWait, Rows[N].MayWait);
    EXPECT_EQ(Read[N].Gain, Rows[N].Gain);
    expectSame(Read[N].Own, Rows[N].Own);
    expectSame(Read[N].Stock, Rows[N].Stock);
  }
}

TEST(LaunchTableTest, RowsThatNoLaunchCanTakeAreRefused) {
  const std::string Good =
      "{\"from_threads\":129,\"threads\":256,\"build\":1,"
      "\"cycles\":{\"blocks_per_sm\":4,\"alone\":70,\"full\":90},"
      "\"stock_cycles\":{\"blocks_per_sm\":2,\"alone\":60,\"full\":65},"
      "\"most_dynamic_smem\":16,\"thread_bytes\":4,"
      "\"any_launch\":false,\"only_build\":true,\"may_wait\":true}";
  EXPECT_TRUE(isRead("[" + Good + "]"));
  EXPECT_FALSE(isRead("[7]"));
  EXPECT_FALSE(isRead("{}"));
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
      {",\"any_launch\":false", ""},
      {",\"only_build\":true", ""},
      {",\"may_wait\":true", ""}};
  for (auto [From, To] : Changes) {
    std::string Row = Good;
    Row.replace(Row.find(From), StringRef(From).size(), To);
    EXPECT_FALSE(isRead("[" + Row + "]")) << Row;
  }
}

TEST(LaunchTableTest, BuildsAreNamedAfterTheKernel) {
  EXPECT_EQ(launchBuildName("_Z4stepPf", 3, ""), "_Z4stepPf$regdem3");
  EXPECT_EQ(kernelOfBuild(launchBuildName("_Z4stepPf", 3, "_6d83")),
            "_Z4stepPf");
}

} // namespace
