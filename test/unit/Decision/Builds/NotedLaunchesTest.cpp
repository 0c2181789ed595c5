//===- NotedLaunchesTest.cpp - launches that were noted -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/NotedLaunches.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

std::map<std::string, NotedLaunches> launchesOf(StringRef List) {
  return cantFail(parseNotedLaunches(
      ("{\"version\":1,\"launches\":[" + List + "]}").str()));
}

TEST(NotedLaunches, WhatAllLaunchesShareIsKnown) {
  auto Launches = launchesOf(
      R"({"kernel":"k","block":[32,4,2],"grid":[9,1,1],"dynamic_smem":0},
         {"kernel":"k","block":[256,1,1],"dynamic_smem":512,"count":3,
          "build":1},
         {"kernel":"other","block":[64,1,1]})");
  ASSERT_EQ(Launches.size(), 2u);
  EXPECT_EQ(Launches["k"].Threads, 256u);
  EXPECT_EQ(Launches["k"].MostDynamic, 512u);
  EXPECT_EQ(Launches["other"].Threads, 64u);
}

TEST(NotedLaunches, BlocksOfSeveralSizesAreUnknown) {
  auto Launches = launchesOf(R"({"kernel":"k","block":[128,1,1]},
                                {"kernel":"k","block":[64,1,1]},
                                {"kernel":"k","block":[64,1,1]})");
  EXPECT_EQ(Launches["k"].Threads, 0u);
}

TEST(NotedLaunches, GridsCountByTheBlocksOfAnSM) {
  auto Grids = launchesOf(
                   R"({"kernel":"k","block":[64,1,1],"grid":[66,8,1],"count":3,
          "multiprocessors":132},
         {"kernel":"k","block":[64,1,1],"grid":[529,1,1],"count":1,
          "multiprocessors":132},
         {"kernel":"k","block":[64,1,1],"grid":[5,1,1],"count":3,
          "multiprocessors":132})")["k"]
                   .Grids;
  ASSERT_EQ(Grids.size(), 3u);
  EXPECT_EQ(Grids[0].BlocksOnSM, 4u);
  EXPECT_DOUBLE_EQ(Grids[0].Share, 12.0 / 20);
  EXPECT_EQ(Grids[1].BlocksOnSM, 5u);
  EXPECT_EQ(Grids[2].BlocksOnSM, 1u);
}

TEST(NotedLaunches, GridsAreUnknownWhereThoseOfOneLaunchAre) {
  for (StringRef Other :
       {R"("block":[64,1,1],"grid":[9,1,1],"count":1)",
        R"("block":[64,1,1],"grid":[9,1,1],"multiprocessors":132)",
        R"("block":[64,1,1],"count":1,"multiprocessors":132)",
        R"("block":[32,1,1],"grid":[9,1,1],"count":1,"multiprocessors":132)"})
    EXPECT_TRUE(launchesOf((R"({"kernel":"k","block":[64,1,1],"grid":[9,1,1],
                                "count":1,"multiprocessors":132},
                               {"kernel":"k",)" +
                            Other + "}")
                               .str())["k"]
                    .Grids.empty())
        << Other.str();
}

TEST(NotedLaunches, TheLargestGridsStandForAll) {
  std::string List;
  for (int Blocks = 1; Blocks != 10; ++Blocks)
    List += (Blocks > 1 ? "," : "") +
            (R"({"kernel":"k","block":[64,1,1],"count":1,"multiprocessors":1,
                 "grid":[)" +
             std::to_string(Blocks) + ",1,1]}");
  auto Grids = launchesOf(List)["k"].Grids;
  ASSERT_EQ(Grids.size(), NotedLaunches::MostGrids);
  EXPECT_EQ(Grids.front().BlocksOnSM, 9u);
  EXPECT_DOUBLE_EQ(Grids.front().Share, 9.0 / (9 + 8 + 7 + 6));
}

TEST(NotedLaunches, OtherTextIsRefused) {
  for (StringRef Text :
       {"", "[]", "{}", R"({"version":2,"launches":[]})",
        R"({"version":1,"launches":[{"kernel":"k"}]})",
        R"({"version":1,"launches":[{"block":[1,1,1]}]})",
        R"({"version":1,"launches":[{"kernel":"k","block":[0,1,1]}]})",
        R"({"version":1,"launches":[{"kernel":"k","block":[1024,2,1]}]})",
        R"({"version":1,"launches":[{"kernel":"k","block":[32,1,1],
            "dynamic_smem":-1}]})"})
    EXPECT_TRUE(errorToBool(parseNotedLaunches(Text).takeError()))
        << Text.str();
}

} // namespace
