//===- PaperPredictorTest.cpp - the RegDem paper's predictor --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/PaperPredictor.h"

#include "gtest/gtest.h"

using namespace regdem;

namespace {

SassInstruction instruction(SassClass Class, unsigned Stall) {
  SassInstruction I;
  I.Class = Class;
  I.Stall = static_cast<uint8_t>(Stall);
  return I;
}

SassKernel kernel(unsigned LoopDepth) {
  SassKernel K;
  K.Blocks.emplace_back();
  K.Blocks[0].LoopDepth = LoopDepth;
  K.Blocks[0].Instructions = {instruction(SassClass::GlobalLoad, 1),
                              instruction(SassClass::LocalLoad, 1),
                              instruction(SassClass::SharedLoad, 1),
                              instruction(SassClass::FP32, 4),
                              instruction(SassClass::FP64, 2),
                              instruction(SassClass::Special, 1)};
  return K;
}

TEST(PaperPredictor, StallsByClass) {
  EXPECT_DOUBLE_EQ(paperCycles(1, kernel(0)),
                   200 + 200 + 24 + 4 + 32 * 2 + 4 * 1);
}

TEST(PaperPredictor, EachLoopCountsTenTimes) {
  EXPECT_DOUBLE_EQ(paperCycles(1, kernel(2)), 100 * paperCycles(1, kernel(0)));
}

// Half of an SM's warps: 428 + 32 * 0.5 * 2 + 4 * 0.5 * 1 = 462, times
// f(0.5) / f(1) = 2^0.86281.
TEST(PaperPredictor, OccupancyScalesTheStalls) {
  EXPECT_NEAR(paperCycles(0.5, kernel(0)), 462 * std::pow(2, 0.86281), 1e-9);
}

} // namespace
