//===- FinalistsTest.cpp - choosing among builds under one cap ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision/Choice/Finalists.h"

#include "FinalistsSamples.h"

using namespace regdem;

namespace {

TEST(Finalists, ThreeDemotionsWithTheBestFiguresAreFinalists) {
  std::vector<Build> List = {built(Decision::Cap, 100)};
  for (unsigned Score : {60, 40, 70, 50, 30})
    List.push_back(built(Decision::Demote, Score));
  EXPECT_EQ(finalists(List, 0, Blocks), (Indices{0, 5, 2, 4}));
}

TEST(Finalists, SameFiguresAreOneFinalist) {
  std::vector<Build> List = {
      built(Decision::Cap, 100), built(Decision::Demote, 40),
      built(Decision::Demote, 40), built(Decision::Demote, 50)};
  EXPECT_EQ(finalists(List, 0, Blocks), (Indices{0, 1, 3}));
}

TEST(Finalists, WorseFiguresThanTheCapsAreNotRead) {
  std::vector<Build> List = {
      built(Decision::Stock, 0), built(Decision::Cap, 100),
      built(Decision::Demote, 100), built(Decision::Pragma, 101),
      built(Decision::Cap, 101)};
  List[0].MaxRegs = 0;
  EXPECT_EQ(finalists(List, 1, Blocks), Indices{1});
}

TEST(Finalists, DemotionWithoutSpillCodeIsAlwaysAFinalist) {
  for (unsigned Score : {68, 69}) {
    std::vector<Build> List = {built(Decision::Cap, 100)};
    // The two words that are spilled count as twelve that are moved.
    for (unsigned Spilling : {60, 61, 62, 63})
      List.push_back(built(Decision::Demote, Spilling - 12));
    for (Build &V : List)
      V.SpillLoadBytes = V.What == Decision::Cap ? 100 : 8;
    List.push_back(built(Decision::Demote, Score + 1));
    List.push_back(built(Decision::Demote, Score));
    EXPECT_EQ(finalists(List, 0, Blocks),
              Score == 68 ? (Indices{0, 1, 2, 3, 6}) : (Indices{0, 1, 2, 3}));
  }
}

TEST(Finalists, DemotionWithoutSpillCodeIsReadWhereTheCapHasBetterFigures) {
  std::vector<Build> List = {
      built(Decision::Cap, 40), built(Decision::Demote, 75),
      built(Decision::Demote, 76), built(Decision::Pragma, 75)};
  List[0].SpillLoadBytes = 16;
  EXPECT_EQ(finalists(List, 0, Blocks), (Indices{0, 1}));
}

// 1000 bytes of spill code under the cap alone.
TEST(Finalists, WhatLeavesNearlyAllSpillCodeIsNotRead) {
  std::vector<Build> List = {built(Decision::Cap, 100),
                             built(Decision::Demote, 40),
                             built(Decision::Demote, 30)};
  List[0].SpillStoreBytes = 600;
  List[0].SpillLoadBytes = 400;
  List[1].SpillLoadBytes = 880;
  List[2].SpillStoreBytes = 884;
  EXPECT_EQ(finalists(List, 0, Blocks), (Indices{0, 1}));
}

TEST(Finalists, AssemblersOwnSpillingIsAFinalistIfItCostsNoBlock) {
  for (unsigned Its : {5, 6}) {
    std::vector<Build> List = {built(Decision::Cap, 100),
                               built(Decision::Demote, 40),
                               built(Decision::Pragma, 50)};
    List[2].BlocksPerSM = Its;
    EXPECT_EQ(finalists(List, 0, Blocks),
              Its == 6 ? (Indices{0, 1, 2}) : (Indices{0, 1}));
  }
}

TEST(Finalists, WhatDoesNotFitIsNoFinalist) {
  std::vector<Build> List = {built(Decision::Cap, 100),
                             built(Decision::Demote, 40)};
  List[1].BlocksPerSM = 0;
  EXPECT_EQ(finalists(List, 0, Blocks), Indices{0});
  List[0].BlocksPerSM = 0;
  List[1].BlocksPerSM = 6;
  EXPECT_EQ(finalists(List, 0, Blocks), Indices{0});
}

/// Searches with predictions.
class PredictedSearch : public CapSearch {
protected:
  std::vector<Build> Read; ///< What was predicted, in order.

  std::optional<Outcome>
  predicted(const Assembler &Assemble,
            const std::function<double(const Build &)> &Cycles) {
    predictAs([this, Cycles](const Build &V) {
      Read.push_back(V);
      return Cycles(V);
    });
    return search([Assemble](Build &V) {
      V.BlocksPerSM = 6;
      Assemble(V);
    });
  }
};

TEST_F(PredictedSearch, PredictionsDecide) {
  auto ByFigures = search(spillsAbove(Cap - 4));
  ASSERT_TRUE(ByFigures);
  ASSERT_EQ(chosen(*ByFigures)->What, Decision::Demote);
  unsigned Best = chosen(*ByFigures)->Target;
  auto S = predicted(spillsAbove(Cap - 4), [Best](const Build &V) {
    return V.What != Decision::Demote ? 100.0 : V.Target == Best ? 90.0 : 80.0;
  });
  ASSERT_TRUE(S);
  EXPECT_EQ(chosen(*S)->What, Decision::Demote);
  EXPECT_NE(S->Target, Best);
  EXPECT_EQ(S->Target, chosen(*S)->Target);
  EXPECT_EQ(chosen(*S)->Cycles, 80.0);
}

TEST_F(PredictedSearch, CapAloneMayBePredictedToBeFastest) {
  auto S = predicted(spillsAbove(Cap - 4), [](const Build &V) {
    return V.What == Decision::Demote ? 110.0 : 100.0;
  });
  ASSERT_TRUE(S);
  EXPECT_EQ(chosen(*S)->What, Decision::Cap);
  EXPECT_EQ(S->Target, 0u);
  EXPECT_FALSE(S->SmemSpilling);
}

TEST_F(PredictedSearch, NothingIsReadWhereNothingIsToChoose) {
  ASSERT_TRUE(predicted([](Build &) {}, [](const Build &) { return 1.0; }));
  EXPECT_TRUE(Read.empty());
  ASSERT_TRUE(predicted([](Build &V) { spill(V, 100); },
                        [](const Build &) { return 1.0; }));
  EXPECT_TRUE(Read.empty());
}

TEST_F(PredictedSearch, FiguresDecideWhereCodeCannotBeRead) {
  auto ByFigures = search(spillsAbove(Cap - 4));
  PredictNow = [](llvm::ArrayRef<Build>) -> std::optional<std::vector<Build>> {
    return std::nullopt;
  };
  auto S = search([](Build &V) {
    V.BlocksPerSM = 6;
    spillsAbove(Cap - 4)(V);
  });
  ASSERT_TRUE(ByFigures && S);
  EXPECT_EQ(S->Target, ByFigures->Target);
  EXPECT_EQ(S->How, ByFigures->How);
  EXPECT_EQ(chosen(*S)->Cycles, 0.0);
}

} // namespace
