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

const LaunchTables Tables{"sm_90a",
                          {{"_Z4stepPf", {{128, 2, 9, 0.25}, {256, 1, 0, 0.5}}},
                           {"other", {{1024, 3, 2, 0.125}}}}};

std::string problemOf(StringRef Text) {
  auto Read = parseLaunchTables(Text);
  return Read ? "" : toString(Read.takeError());
}

std::string withRow(StringRef Row) {
  return ("{\"version\":1,\"arch\":\"sm_90\",\"kernels\":[{\"kernel\":\"k\","
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
    EXPECT_EQ(Read->Kernels[I].Rows, Tables.Kernels[I].Rows);
  }
}

TEST(LaunchTableTest, OtherTextIsRefused) {
  EXPECT_NE(problemOf("no JSON"), "");
  EXPECT_NE(problemOf("[]"), "");
  EXPECT_NE(problemOf("{\"version\":2,\"arch\":\"sm_90\",\"kernels\":[]}"), "");
  EXPECT_NE(problemOf("{\"version\":1,\"kernels\":[]}"), "");
}

TEST(LaunchTableTest, RowsThatNoLaunchCanTakeAreRefused) {
  EXPECT_EQ(problemOf(withRow("{\"threads\":256,\"build\":1,"
                              "\"fill_blocks\":0,\"expected_gain\":0.1}")),
            "");
  for (const char *Row :
       {"", "7", "{\"threads\":0,\"build\":1,\"fill_blocks\":0}",
        "{\"threads\":1025,\"build\":1,\"fill_blocks\":0}",
        "{\"threads\":256,\"build\":0,\"fill_blocks\":0}",
        "{\"threads\":256,\"build\":4,\"fill_blocks\":0}",
        "{\"threads\":256,\"build\":1,\"fill_blocks\":-1}",
        "{\"threads\":256,\"build\":1}"})
    EXPECT_NE(problemOf(withRow(Row)), "") << Row;
}

TEST(LaunchTableTest, GridsThatStockHoldsAtOnceNeverGetFewerBlocks) {
  // Blocks of such a grid may wait for each other.
  EXPECT_EQ(fillBlocks(/*Blocks=*/2, /*StockBlocks=*/4, /*GainsAlone=*/true),
            5u);
  EXPECT_EQ(fillBlocks(2, 4, false), 5u);
}

TEST(LaunchTableTest, MoreBlocksNeedAGridThatHasThem) {
  EXPECT_EQ(fillBlocks(6, 4, /*GainsAlone=*/false), 6u);
  EXPECT_EQ(fillBlocks(6, 4, /*GainsAlone=*/true), 0u);
  EXPECT_EQ(fillBlocks(4, 4, /*GainsAlone=*/true), 0u);
}

TEST(LaunchTableTest, BuildsAreNamedAfterTheKernel) {
  EXPECT_EQ(launchBuildName("_Z4stepPf", 3), "_Z4stepPf$regdem3");
}

} // namespace
