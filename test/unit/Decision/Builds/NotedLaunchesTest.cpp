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
         {"kernel":"k","block":[256,1,1],"dynamic_smem":512,"count":3},
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
