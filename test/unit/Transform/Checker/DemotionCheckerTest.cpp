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
  std::string Result = edited(withPrologue(LoopKernel),
                              {after(Def10, store("%10", "%54", 3072, 64)),
                               before(Use10, load("%10", "%54", 3072, 64))});
  EXPECT_EQ(checkBodies(LoopKernel, Result), Accepted);
}

TEST(DemotionChecker, Accepts64BitValueInTwoWords) {
  EXPECT_EQ(checkBodies(LoopKernel, wordsResult()), Accepted);
}

TEST(DemotionChecker, Accepts64BitSlotReadAsWords) {
  std::string Result = edited(
      withPrologue(LoopKernel),
      {after(Def10, store("%10", "%54", 2048, 64)),
       before(Use10, load("%47", "%54", 2048) + load("%48", "%54", 2052) +
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

/// The prologue with the linear index computed by \p Index instead.
std::string foldedPrologue(const std::string &Index) {
  return edited(Prologue, {{"    %45:b32 = MAD_LO_S32rrr %44, %42, %41\n"
                            "    %46:b32 = MAD_LO_S32rrr %45, %43, %40\n",
                            Index}});
}

std::string foldedResult(const std::string &Index) {
  return edited(
      withPrologue(LoopKernel, foldedPrologue(Index)),
      {after(Def1, store("%1", "%52", 0)), before(Use1, load("%1", "%52", 0))});
}

TEST(DemotionChecker, AcceptsKnownExtentsAsFactors) {
  std::string Result =
      foldedResult("    %45:b32 = MAD_LO_S32rir %42, 4, %41\n"
                   "    %46:b32 = MAD_LO_S32rir %45, 16, %40\n");
  EXPECT_EQ(checkBodies(LoopKernel, Result, {128, 16, 4}), Accepted);
}

TEST(DemotionChecker, AcceptsExtentReadThoughKnown) {
  EXPECT_EQ(checkBodies(LoopKernel, loopResult(), {128, 16, 4}), Accepted);
}

TEST(DemotionChecker, AcceptsFlatDimensionsLeftOut) {
  // 1 x 1 x 1, 128 x 1 x 1, 16 x 8 x 1.
  EXPECT_EQ(
      checkBodies(LoopKernel,
                  foldedResult("    %46:b32 = MAD_LO_S32rir %40, 16, %40\n"),
                  {1, 1, 1}),
      Accepted);
  std::string OneRow = edited(
      withPrologue(
          LoopKernel,
          edited(foldedPrologue(""),
                 {{"MUL_WIDEu32_ri %46, 4", "MUL_WIDEu32_ri %40, 4"},
                  {"MUL_WIDEu32_ri %46, 8", "MUL_WIDEu32_ri %40, 8"}})),
      {after(Def1, store("%1", "%52", 0)), before(Use1, load("%1", "%52", 0))});
  EXPECT_EQ(checkBodies(LoopKernel, OneRow, {128, 128, 1}), Accepted);
  EXPECT_EQ(checkBodies(LoopKernel, OneRow, {128, 128, 0}), Accepted);
  EXPECT_EQ(
      checkBodies(LoopKernel,
                  foldedResult("    %46:b32 = MAD_LO_S32rir %41, 16, %40\n"),
                  {128, 16, 8}),
      Accepted);
}

TEST(DemotionChecker, AcceptsLastByteOfRegion) {
  EXPECT_EQ(checkBodies(LoopKernel, loopResult(), {128, 0, 0, 1024}), Accepted);
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
