//===- BuildJSONTest.cpp - builds as JSON and back ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/SettledAttributes.h"

#include "regdem/Decision/Builds/Outcome.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// No field is as in Build().
Build fullBuild() {
  Build V;
  V.What = Decision::Demote;
  V.MaxRegs = 40;
  V.MinBlocks = 6;
  V.Target = 36;
  V.How = Strategy::Resident;
  V.SmemSpilling = true;
  V.Rewrites = Rewrite::SkipLoopReduce | Rewrite::SkipSLSR;
  V.Order = InstOrder::Deep;
  V.Regs = 39;
  V.SpillStoreBytes = 8;
  V.SpillLoadBytes = 16;
  V.FrameBytes = 40;
  V.MovedBytes = 48;
  V.StaticShared = 1024;
  V.CodeBytes = 4096;
  V.ThreadBytes = 52;
  V.LoneCycles = 750.25;
  V.BlocksPerSM = 5;
  V.PressureAfter = 35;
  V.FrameStride = 52;
  V.SlotAccesses = 21;
  V.Recomputations = 3;
  V.L1Bytes = 65536;
  V.SpillFootprint = 4096;
  V.Cycles = 123.5;
  return V;
}

Build buildFromJSON(const json::Object &O) {
  Build V;
  JSONFields From(O);
  fields(From, V);
  return V;
}

TEST(BuildJSON, EveryFieldComesBack) {
  json::Object Written = toJSON(fullBuild(), true),
               Default = toJSON(Build(), false);
  json::Object Again = toJSON(buildFromJSON(Written), true);
  for (const auto &[Key, Value] : Written) {
    EXPECT_EQ(*Again.get(Key), Value) << StringRef(Key).str();
    // Else the line above proves nothing.
    EXPECT_NE(*Default.get(Key), Value) << StringRef(Key).str();
  }
}

TEST(BuildJSON, BuildIsTheSame) {
  EXPECT_TRUE(
      isSameBuild(buildFromJSON(toJSON(fullBuild(), true)), fullBuild()));
}

TEST(BuildJSON, WhatIsMissingOrOfAnotherKindIsAsInStock) {
  EXPECT_TRUE(isSameBuild(buildFromJSON({}), Build()));
  json::Object Odd{{"decision", 4}, {"recipe", true}, {"regs", "40"}};
  EXPECT_TRUE(isSameBuild(buildFromJSON(Odd), Build()));
}

} // namespace
