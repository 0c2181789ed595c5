//===- BudgetShareTest.cpp - a file's builds, dealt to its kernels --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder/Settling.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

TEST(BudgetShare, KernelsGetEqualSharesAndTheFirstOnesTheRest) {
  for (unsigned Budget : {0u, 1u, 7u, 8u, 100u}) {
    unsigned Sum = 0;
    for (size_t I = 0; I != 7; ++I) {
      unsigned Share = shareOfBudget(Budget, 7, I);
      EXPECT_LE(Share, Budget / 7 + 1);
      EXPECT_GE(Share, Budget / 7);
      EXPECT_LE(Share, shareOfBudget(Budget, 7, I ? I - 1 : 0));
      Sum += Share;
    }
    EXPECT_EQ(Sum, Budget);
  }
}

} // namespace
