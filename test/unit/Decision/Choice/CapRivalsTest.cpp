//===- CapRivalsTest.cpp - other builds without demotion under a cap ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision/Choice/Finalists.h"
#include "FinalistsSamples.h"

using namespace regdem;

namespace {

/// V in another order, where it spills so much of the 1000 bytes that L1 has
/// for it.
Build reordered(Build V, unsigned Footprint) {
  V.Order = InstOrder::Deep;
  V.SpillLoadBytes = 4;
  V.L1Bytes = 2000;
  V.SpillFootprint = Footprint;
  return V;
}

TEST(CapRivals, OtherBuildsUnderTheCapAreFinalistsIfTheirFiguresAreNoWorse) {
  std::vector<Build> List = {
      built(Decision::Cap, 90), built(Decision::Cap, 100),
      built(Decision::Cap, 100), built(Decision::Cap, 80),
      built(Decision::Cap, 80)};
  List[0].Order = InstOrder::Near;
  List[1].SpillLoadBytes = 8;
  List[2].Rewrites = Rewrite::SkipSLSR;
  List[2].PressureAfter = 50;
  EXPECT_EQ(finalists(List, 1, Blocks), (Indices{1, 3, 0, 2}));
  for (unsigned Score : {70, 60}) // Three at most, the best.
    List.push_back(built(Decision::Cap, Score));
  EXPECT_EQ(finalists(List, 1, Blocks), (Indices{1, 6, 5, 3}));
}

TEST(CapRivals, OtherBuildsThatSpillBeyondL1InAnotherOrderAreNotRead) {
  for (Decision What : {Decision::Cap, Decision::Pragma})
    for (unsigned Footprint : {1000, 1001}) {
      std::vector<Build> List = {built(Decision::Cap, 100),
                                 reordered(built(What, 90), Footprint)};
      List[0].SpillLoadBytes = 8;
      EXPECT_EQ(finalists(List, 0, Blocks).size(), Footprint == 1000 ? 2u : 1u);
    }
}

TEST(CapRivals, OtherBuildsAreNotReadWhereTheCapAloneSpillsNothing) {
  for (bool IsPlain : {false, true}) {
    std::vector<Build> List = {built(Decision::Cap, 0),
                               built(Decision::Cap, 0)};
    if (!IsPlain)
      List[0].Order = InstOrder::Deep;
    List[1].PressureAfter = 50;
    EXPECT_EQ(plainRivals(List, 0).size(), IsPlain ? 0u : 1u);
  }
}

} // namespace
