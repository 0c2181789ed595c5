//===- LaunchOffersTest.cpp - builds that are worth their code --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/LaunchOffers.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

using Indices = std::vector<size_t>;

TEST(LaunchOffers, NoneIsKeptBeyondTheRoom) {
  std::vector<LaunchOffer> Offers = {{0, 100, {0.5, 0.5}}};
  EXPECT_EQ(keepWorthMost(Offers, 100).Kept, Indices({0}));
  EXPECT_EQ(keepWorthMost(Offers, 100).TooLarge, Indices());
  EXPECT_EQ(keepWorthMost(Offers, 99).Kept, Indices());
  EXPECT_EQ(keepWorthMost(Offers, 99).TooLarge, Indices({0}));
}

TEST(LaunchOffers, WhatGainsMostForAByteComesFirst) {
  std::vector<LaunchOffer> Offers = {
      {0, 100, {0.3, 0}}, {0, 50, {0, 0.2}}, {1, 10, {0.05, 0}}};
  EXPECT_EQ(keepWorthMost(Offers, 160).Kept, Indices({0, 1, 2}));
  EXPECT_EQ(keepWorthMost(Offers, 150).Kept, Indices({1, 2}));
  EXPECT_EQ(keepWorthMost(Offers, 150).TooLarge, Indices({0}));
  EXPECT_EQ(keepWorthMost(Offers, 59).Kept, Indices({2}));
}

TEST(LaunchOffers, ASmallerOneTakesTheRoomThatIsLeft) {
  std::vector<LaunchOffer> Offers = {
      {0, 100, {0.5}}, {1, 100, {0.4}}, {2, 20, {0.01}}};
  EXPECT_EQ(keepWorthMost(Offers, 130).Kept, Indices({0, 2}));
  EXPECT_EQ(keepWorthMost(Offers, 130).TooLarge, Indices({1}));
}

TEST(LaunchOffers, OnlyWhatOthersOfTheKernelDoNotGainCounts) {
  // The second gains 0.02 more than the first; the third is another kernel's.
  std::vector<LaunchOffer> Offers = {
      {0, 100, {0.3, 0.3}}, {0, 100, {0.32, 0}}, {1, 100, {0.1, 0}}};
  EXPECT_EQ(keepWorthMost(Offers, 200).Kept, Indices({0, 2}));
  EXPECT_EQ(keepWorthMost(Offers, 300).Kept, Indices({0, 1, 2}));
  Offers[1].Gains = {0.3, 0.3};
  EXPECT_EQ(keepWorthMost(Offers, 300).Kept, Indices({0, 2}));
  EXPECT_EQ(keepWorthMost(Offers, 300).TooLarge, Indices());
}

TEST(LaunchOffers, AKernelHasThreeAtMost) {
  std::vector<LaunchOffer> Offers = {{0, 1, {0.4, 0, 0, 0}},
                                     {0, 1, {0, 0.1, 0, 0}},
                                     {0, 1, {0, 0, 0.3, 0}},
                                     {0, 1, {0, 0, 0, 0.2}}};
  EXPECT_EQ(keepWorthMost(Offers, 100).Kept, Indices({0, 2, 3}));
  EXPECT_EQ(keepWorthMost(Offers, 100).TooLarge, Indices());
}

TEST(LaunchOffers, TheFirstOfEquals) {
  std::vector<LaunchOffer> Offers = {{0, 10, {0.2}}, {1, 10, {0.2}}};
  EXPECT_EQ(keepWorthMost(Offers, 10).Kept, Indices({0}));
}

} // namespace
