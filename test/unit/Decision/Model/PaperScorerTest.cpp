//===- PaperScorerTest.cpp - the RegDem paper's predictor -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/PaperScorer.h"

#include "gtest/gtest.h"
#include <cmath>

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

TEST(PaperScorer, StallsByClass) {
  CodeSummary Code;
  addPaperStalls(kernel(0), Code);
  EXPECT_DOUBLE_EQ(Code.PaperStalls, 200 + 200 + 24 + 4);
  EXPECT_DOUBLE_EQ(Code.PaperFP64Stalls, 2);
  EXPECT_DOUBLE_EQ(Code.PaperSpecialStalls, 1);
}

TEST(PaperScorer, EachLoopCountsTenTimes) {
  CodeSummary Code;
  addPaperStalls(kernel(2), Code);
  EXPECT_DOUBLE_EQ(Code.PaperStalls, 42800);
}

// Half of an SM's warps: 428 + 32 * 0.5 * 2 + 4 * 0.5 * 1 = 462, times
// f(0.5) / f(1) = 2^0.86281.
TEST(PaperScorer, OccupancyScalesTheStalls) {
  CodeSummary Code;
  addPaperStalls(kernel(0), Code);
  EXPECT_NEAR(paperCycles(0.5, Code), 462 * std::pow(2, 0.86281), 1e-9);
  EXPECT_NEAR(paperCycles(1, Code), 428 + 64 + 4, 1e-9);
}

} // namespace
