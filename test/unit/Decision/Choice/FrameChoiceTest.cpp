//===- FrameChoiceTest.cpp - which frames move to shared memory -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/FrameChoice.h"
#include "SassTexts.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Model/CodeSummary.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace moves {

/// The way that is chosen of those with Forecasts; none: the frame stays.
std::optional<size_t> choose(ArrayRef<MoveForecast> Forecasts,
                             bool Indexed = false) {
  FrameResult Way;
  Way.Arch = "sm_90";
  Way.Indexed = Indexed;
  std::vector<FrameResult> Ways(Forecasts.size(), Way);
  Expected<size_t> Chosen = chooseByForecast(Ways, Forecasts);
  if (Chosen)
    return *Chosen;
  consumeError(Chosen.takeError());
  return std::nullopt;
}

TEST(FrameChoice, AMoveHasToGain) {
  EXPECT_EQ(choose({{Tuned.Margin, false}}), 0u);
  EXPECT_EQ(choose({{Tuned.Margin - 0.001, false}}), std::nullopt);
  EXPECT_EQ(choose({{-0.1, false}}), std::nullopt);
}

TEST(FrameChoice, MoreIsWantedWhereItTakesBlocks) {
  EXPECT_EQ(choose({{Tuned.Tie, true}}), 0u);
  EXPECT_EQ(choose({{Tuned.Tie - 0.001, true}}), std::nullopt);
  EXPECT_EQ(choose({{Tuned.IndexedFrameMargin, true}}, true), 0u);
  EXPECT_EQ(choose({{Tuned.Tie, true}}, true), std::nullopt);
  EXPECT_EQ(choose({{Tuned.Margin, false}}, true), 0u);
}

TEST(FrameChoice, LinesOfScatteredLoadsStay) {
  EXPECT_EQ(choose({{0.5, false, true}}), std::nullopt);
  EXPECT_EQ(choose({{0.5, false, true}, {0.1, false, false}}), 1u);
}

TEST(FrameChoice, TheGreatestGainThatPays) {
  EXPECT_EQ(choose({{Tuned.Tie - 0.001, true}, {0.005, false}, {0.01, false}}),
            2u);
}

// As for FrameResult::Staying, what has a generic address moves with the frame.
TEST(FrameChoice, GenericAccessesMoveToo) {
  SassKernel Code = mustParse(writeSass(
      {"IADD3 R4, P0, R1, c[0x0][0x20], RZ", "LD.E R2, [R4.64]", "LDL R3, [R1]",
       "STL [R1+0x4], R3", "LDG.E R2, [R6.64]", "EXIT"}));
  FrameResult Frame;
  Frame.Staying = {Code.Blocks[0].Instructions[3].Address};
  std::vector<TraceUnit> Units;
  for (const TraceStep &S : summarize(withMovedFrame(Code, Frame)).Trace)
    Units.push_back(S.Unit);
  using U = TraceUnit;
  EXPECT_EQ(
      ArrayRef(Units).slice(1, 4),
      ArrayRef({U::SharedLoad, U::SharedLoad, U::LocalStore, U::GlobalLoad}));
}

} // namespace moves
