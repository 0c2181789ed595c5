//===- DemotionCheckerTest.cpp - results the checker accepts ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DemotionCheckerKernels.h"
#include "gtest/gtest.h"

using namespace regdem::test;

namespace {

const std::string Accepted;

TEST(DemotionChecker, AcceptsUnchangedCode) {
  EXPECT_EQ(checkBodies(LoopKernel, LoopKernel), Accepted);
  EXPECT_EQ(checkBodies(DiamondKernel, DiamondKernel), Accepted);
}

TEST(DemotionChecker, AcceptsUnusedAddresses) {
  EXPECT_EQ(checkBodies(LoopKernel, withPrologue(LoopKernel)), Accepted);
}

TEST(DemotionChecker, AcceptsStoreAtDefinitionAndReloadsInAndAfterLoop) {
  EXPECT_EQ(checkBodies(LoopKernel, loopResult()), Accepted);
}

TEST(DemotionChecker, AcceptsStoreAtEviction) {
  std::string Result =
      edited(withPrologue(LoopKernel), {after(Def25, store("%1", "%52", 0)),
                                        before(Use1, load("%1", "%52", 0))});
  EXPECT_EQ(checkBodies(LoopKernel, Result), Accepted);
}

TEST(DemotionChecker, AcceptsSlotThatIsWrittenAtEachOfSeveralDefinitions) {
  EXPECT_EQ(checkBodies(DiamondKernel, diamondResult()), Accepted);
}

TEST(DemotionChecker, AcceptsSlotThatTwoValuesShareInTurn) {
  std::string Result = edited(
      diamondResult(), {after("    %30:b1 = SETP_i32ri %0, 1, 2\n",
                              store("%0", "%52", 0) + load("%0", "%52", 0))});
  EXPECT_EQ(checkBodies(DiamondKernel, Result), Accepted);
}

TEST(DemotionChecker, AcceptsStoreAndReloadInsideLoopThatRedefines) {
  std::string Result = edited(
      withPrologue(LoopKernel),
      {after(LoopBody, store("%2", "%52", 0)),
       before("    %31:b1 = SETP_i32rr %2, %0, 2\n", load("%2", "%52", 0))});
  EXPECT_EQ(checkBodies(LoopKernel, Result), Accepted);
}

TEST(DemotionChecker, Accepts64BitValueInOneAccess) {
  std::string Result = edited(withPrologue(LoopKernel, WidePrologue),
                              {after(Def10, store("%10", "%52", 3072, 64)),
                               before(Use10, load("%10", "%52", 3072, 64))});
  EXPECT_EQ(checkBodies(LoopKernel, Result), Accepted);
}

TEST(DemotionChecker, Accepts64BitValueInTwoWords) {
  EXPECT_EQ(checkBodies(LoopKernel, wordsResult()), Accepted);
}

TEST(DemotionChecker, Accepts64BitSlotReadAsWords) {
  std::string Result = edited(
      withPrologue(LoopKernel, WidePrologue),
      {after(Def10, store("%10", "%52", 2048, 64)),
       before(Use10, load("%47", "%52", 2048) + load("%48", "%52", 2052) +
                         "    %10:b64 = V2I32toI64 %47, %48\n")});
  EXPECT_EQ(checkBodies(LoopKernel, Result), Accepted);
}

TEST(DemotionChecker, Accepts128BitValueInMixedSlots) {
  EXPECT_EQ(checkBodies(LoopKernel, quadResult()), Accepted);
}

TEST(DemotionChecker, Accepts16BitValueInWordSlot) {
  std::string Result = edited(withPrologue(LoopKernel),
                              {after(Def20, store("%20", "%52", 512, 16)),
                               before(Use20, load("%20", "%52", 512, 16))});
  EXPECT_EQ(checkBodies(LoopKernel, Result), Accepted);
}

TEST(DemotionChecker, AcceptsReloadInSplitEdge) {
  EXPECT_EQ(checkBodies(LoopKernel, splitEdgeResult()), Accepted);
}

TEST(DemotionChecker, AcceptsStoreInSplitEdge) {
  // %1 is written on the edge from the loop and on the one around it.
  std::string Result =
      edited(splitEdgeResult(), {{store("%1", "%52", 0), ""},
                                 {load("%1", "%52", 0), store("%1", "%52", 0)},
                                 after(LoopBody, store("%1", "%52", 0)),
                                 before(Use1, load("%1", "%52", 0))});
  EXPECT_EQ(checkBodies(LoopKernel, Result), Accepted);
}

TEST(DemotionChecker, AcceptsFallThroughInPlaceOfJump) {
  std::string Result = edited(loopResult(), {{"    GOTO %bb.1\n", ""}});
  EXPECT_EQ(checkBodies(LoopKernel, Result), Accepted);
}

TEST(DemotionChecker, AcceptsDebugInstructionsAnywhere) {
  std::string Result =
      edited(loopResult(), {after(Use1, "    DBG_PHI %1, 1\n")});
  EXPECT_EQ(checkBodies(LoopKernel, Result), Accepted);
}

/// %1 kept in a slot, the linear index computed by \p Index from %40, the
/// place in x.
std::string foldedResult(const std::string &Index) {
  std::string Text = Prologue;
  size_t From = Text.find("    %41:"), End = Text.find("    %51:");
  return edited(
      withPrologue(LoopKernel, Text.replace(From, End - From, Index)),
      {after(Def1, store("%1", "%52", 0)), before(Use1, load("%1", "%52", 0))});
}

TEST(DemotionChecker, AcceptsKnownExtentsAsFactors) {
  std::string Result =
      foldedResult("    %41:b32 = INT_PTX_SREG_TID_y\n"
                   "    %42:b32 = INT_PTX_SREG_TID_z\n"
                   "    %45:b32 = MAD_LO_S32rir %42, 4, %41\n"
                   "    %46:b32 = MAD_LO_S32rir %45, 16, %40\n");
  EXPECT_EQ(checkBodies(LoopKernel, Result, {128, {16, 4, 2}}), Accepted);
}

TEST(DemotionChecker, AcceptsFlatDimensionsLeftOut) {
  std::string OneRow = edited(
      foldedResult(""), {{"MUL_WIDEu32_ri %46, 4", "MUL_WIDEu32_ri %40, 4"}});
  EXPECT_EQ(checkBodies(LoopKernel, OneRow, {1, {1, 1, 1}}), Accepted);
  EXPECT_EQ(checkBodies(LoopKernel, OneRow, {128, {128, 1, 1}}), Accepted);
  EXPECT_EQ(
      checkBodies(LoopKernel,
                  foldedResult("    %41:b32 = INT_PTX_SREG_TID_y\n"
                               "    %46:b32 = MAD_LO_S32rir %41, 16, %40\n"),
                  {128, {16, 8, 1}}),
      Accepted);
}

TEST(DemotionChecker, AcceptsLastByteOfRegion) {
  EXPECT_EQ(checkBodies(LoopKernel, loopResult(), {128, {}, 1024}), Accepted);
}

TEST(DemotionChecker, AcceptsRecomputedValue) {
  std::string Result = edited(withPrologue(LoopKernel), {before(Use10, Def10)});
  EXPECT_EQ(checkBodies(LoopKernel, Result), Accepted);
}

TEST(DemotionChecker, AcceptsRecomputedValueInSplitEdge) {
  std::string Result =
      edited(splitEdgeResult(), {{load("%1", "%52", 0), Def10}});
  EXPECT_EQ(checkBodies(LoopKernel, Result), Accepted);
}

} // namespace
