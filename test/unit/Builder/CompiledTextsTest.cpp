//===- CompiledTextsTest.cpp - what is made once --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder/CompiledTexts.h"
#include "gtest/gtest.h"
#include <atomic>
#include <thread>

using namespace llvm;
using namespace regdem;

namespace {

TEST(MadeOnce, ThreadsThatAskForTheSameGetWhatOneOfThemMakes) {
  MadeOnce<int, int> Squares;
  std::atomic<int> NumMade = 0;
  std::vector<std::thread> Threads;
  for (int I = 0; I != 16; ++I)
    Threads.emplace_back([&, Key = I % 4] {
      Expected<const int &> Square = Squares.get(Key, [&]() -> Expected<int> {
        ++NumMade;
        return Key * Key;
      });
      ASSERT_TRUE(bool(Square));
      EXPECT_EQ(*Square, Key * Key);
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(NumMade, 4);
}

TEST(MadeOnce, WhatCannotBeMadeFailsAlikeForAll) {
  MadeOnce<int, int> None;
  int NumTried = 0;
  for (int I = 0; I != 3; ++I) {
    Expected<const int &> Made = None.get(1, [&]() -> Expected<int> {
      ++NumTried;
      return createStringError("no such thing");
    });
    ASSERT_FALSE(bool(Made));
    EXPECT_EQ(toString(Made.takeError()), "no such thing");
  }
  EXPECT_EQ(NumTried, 1);
}

} // namespace
