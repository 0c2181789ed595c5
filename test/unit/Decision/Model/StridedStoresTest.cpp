//===- StridedStoresTest.cpp - stores to places that are apart ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CodeSummary.h"

#include "SassTexts.h"
#include "gtest/gtest.h"
#include <vector>

using namespace regdem;
using llvm::StringRef;

namespace {

using List = std::vector<unsigned>;

/// The sectors that each store to global memory is taken to touch, in order.
List sectorsOf(llvm::ArrayRef<StringRef> Lines) {
  List Result;
  for (const TraceStep &S : stepsOf(TraceUnit::GlobalStore, Lines))
    Result.push_back(S.Sectors);
  return Result;
}

TEST(StridedStores, OneWordAThread) {
  EXPECT_EQ(sectorsOf({"STG.E desc[UR4][R2.64], R6", "EXIT"}), List({0}));
}

// 12 bytes a thread are 12 sectors a warp; 64 bytes are a sector for each.
TEST(StridedStores, StructuresAreApartByTheirLength) {
  EXPECT_EQ(
      sectorsOf({"STG.E desc[UR4][R2.64], R6", "STG.E desc[UR4][R2.64+0x8], R7",
                 "STG.E desc[UR4][R2.64+0x4], R8", "EXIT"}),
      List({12, 12, 12}));
  EXPECT_EQ(sectorsOf({"STG.E.64 [R2.64+0x8], R6", "STG.E.128 [R2.64+0x20], R8",
                       "STG.E.128 [R2.64+0x10], R12", "STG.E.64 [R2.64], R4",
                       "STG.E.128 [R2.64+0x30], R16", "EXIT"}),
            List({32, 32, 32, 32, 32}));
}

// Rows of an array, of which each thread has a column.
TEST(StridedStores, WordsBetweenBelongToOtherThreads) {
  EXPECT_EQ(sectorsOf({"STG.E [R2.64], R6", "STG.E [R2.64+0x80], R7",
                       "STG.E [R2.64+0x100], R8", "EXIT"}),
            List({0, 0, 0}));
}

TEST(StridedStores, TheSamePlaceAgainIsNotBeside) {
  EXPECT_EQ(sectorsOf({"STG.E [R2.64], R6", "STG.E [R2.64], R7", "EXIT"}),
            List({0, 0}));
}

TEST(StridedStores, AnAddressThatChangesIsAnother) {
  EXPECT_EQ(sectorsOf({"STG.E [R2.64], R6", "IADD3 R2, R2, R9, RZ",
                       "STG.E [R2.64+0x4], R7", "EXIT"}),
            List({0, 0}));
}

TEST(StridedStores, AnAddressIsKnownAgain) {
  EXPECT_EQ(sectorsOf({"STG.E [R2.64], R6", "MOV R4, R2",
                       "STG.E [R4.64+0x4], R7", "EXIT"}),
            List({8, 8}));
  EXPECT_EQ(sectorsOf({"STS [R10+0x400], R2", "STL [R1+0x8], R3",
                       "STG.E [R2.64], R6", "MOV R2, RZ", "LDS R2, [R10+0x400]",
                       "STG.E [R2.64+0x4], R7", "EXIT"}),
            List({8, 8}));
}

TEST(StridedStores, AddressesOfMorePartsAreNotCompared) {
  EXPECT_EQ(
      sectorsOf({"STG.E [R2.64+UR4], R6", "STG.E [R2.64+UR4+0x4], R7", "EXIT"}),
      List({0, 0}));
}

} // namespace
