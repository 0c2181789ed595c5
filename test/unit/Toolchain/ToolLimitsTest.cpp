//===- ToolLimitsTest.cpp - what runs of tools may take -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Options.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

/// On a busy machine a shorter one would decide what is built.
TEST(ToolLimits, OptionLeavesThemAloneWhereItIsNotGiven) {
  EXPECT_EQ(commandLineOptions().Limits.Seconds, ToolLimits().Seconds);
}

} // namespace
