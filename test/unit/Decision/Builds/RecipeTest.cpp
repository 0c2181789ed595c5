//===- RecipeTest.cpp - recipes in one line -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Recipe.h"

#include "regdem/Decision/Builds/Build.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

std::string problem(StringRef Text) {
  Expected<BuildRecipe> R = parseRecipe(Text);
  return R ? "" : toString(R.takeError());
}

TEST(Recipe, IsReadAsItIsWritten) {
  for (StringRef Text :
       {"stock", "cap=40", "min-blocks=2", "cap=40 demote=belady:36",
        "cap=255 min-blocks=32 demote=resident:512 smem-spilling order=deep "
        "rewrites=skip-slsr,unroll-loops",
        "smem-spilling", "order=forward", "rewrites=lower-arrays"}) {
    Expected<BuildRecipe> R = parseRecipe(Text);
    ASSERT_TRUE(!!R) << toString(R.takeError());
    EXPECT_EQ(toText(*R), Text);
  }
}

TEST(Recipe, SaysWhatIsDone) {
  auto What = [](StringRef Text) { return cantFail(parseRecipe(Text)).What; };
  EXPECT_EQ(What("stock"), Decision::Stock);
  EXPECT_EQ(What("rewrites=skip-slsr"), Decision::Rewrite);
  EXPECT_EQ(What("order=near cap=40"), Decision::Cap);
  EXPECT_EQ(What("cap=40 smem-spilling"), Decision::Pragma);
  EXPECT_EQ(What("cap=40 smem-spilling demote=belady:36"), Decision::Demote);
}

TEST(Recipe, OfABuildSaysHowItsFrameMoves) {
  Build V;
  V.MovedBytes = 108;
  EXPECT_EQ(toText(V), "frame=whole");
  V.MaxRegs = 40;
  V.FrameBytes = 8;
  V.FrameStride = 108;
  EXPECT_EQ(toText(V), "cap=40 frame=part:108");
  V.ThreadBytes = 108;
  EXPECT_EQ(toText(V), "cap=40 frame=end");
}

TEST(Recipe, FaultsNameThePart) {
  EXPECT_EQ(problem("cap=15"),
            "'cap=15' is not cap=N, a number from 16 to 255");
  EXPECT_EQ(problem("cap=-40"),
            "'cap=-40' is not cap=N, a number from 16 to 255");
  EXPECT_EQ(problem("cap=4294967336"),
            "'cap=4294967336' is not cap=N, a number from 16 to 255");
  EXPECT_EQ(problem("cap=40 min-blocks=33"),
            "'min-blocks=33' is not min-blocks=N, a number from 1 to 32");
  for (StringRef Text : {"demote", "demote=belady", "demote=lru:36",
                         "demote=belady:7", "demote=resident:513"})
    EXPECT_EQ(problem(Text), ("'" + Text +
                              "' is not demote=belady:N or demote=resident:N, "
                              "a number from 8 to 512")
                                 .str());
  EXPECT_EQ(problem("order="),
            "'order=' is not order=near, order=deep or order=forward");
  EXPECT_NE(problem("rewrites=unroll-loops,skip-slsr").find("in this order"),
            std::string::npos);
  EXPECT_NE(problem("rewrites=").find("in this order"), std::string::npos);
  EXPECT_EQ(problem("cap=40 cap=32"), "'cap' is stated twice");
  EXPECT_EQ(problem(""), "a recipe is 'stock' or has parts");
  for (StringRef Text : {"stock cap=40", "frame=whole", "fast"})
    EXPECT_NE(problem(Text).find("is not a part of a recipe"),
              std::string::npos);
}

TEST(Recipe, AKernelsOwnCapMayBeLower) {
  EXPECT_EQ(cantFail(parseRecipe("cap=8", /*LeastCap=*/1)).MaxRegs, 8u);
}

} // namespace
