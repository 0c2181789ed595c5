//===- KernelNamesTest.cpp - names of kernels as users know them ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/Messages.h"
#include "gtest/gtest.h"

using namespace regdem;

TEST(KernelNames, SymbolsAreDemangled) {
  EXPECT_EQ(shownName("_Z4stepPi"), "step(int*)");
  EXPECT_EQ(shownName("_ZN3geo7nearestILi3EEEvPKf"),
            "void geo::nearest<3>(float const*)");
}

TEST(KernelNames, BuildsForLaunchesKeepTheirMark) {
  EXPECT_EQ(shownName("_Z4stepPi$regdem2"), "step(int*)$regdem2");
  EXPECT_EQ(shownName("_ZL4stepPi__intern__a513b71915017608$regdem2_6d830"),
            "step(int*)$regdem2");
}

TEST(KernelNames, NamesOfCAndForeignNamesStay) {
  EXPECT_EQ(shownName("coldstate"), "coldstate");
  EXPECT_EQ(shownName("_Znonsense"), "_Znonsense");
  EXPECT_EQ(shownName(""), "");
}

TEST(KernelNames, NounsFollowTheirNumber) {
  EXPECT_EQ(counted(1, "block"), "1 block");
  EXPECT_EQ(counted(0, "block"), "0 blocks");
  EXPECT_EQ(counted(12, "load"), "12 loads");
}
