//===- ParallelTest.cpp - several pieces of work at a time ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Parallel.h"

#include "gtest/gtest.h"
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace regdem;

namespace {

TEST(Parallel, OneJobStaysOnTheThreadInOrder) {
  std::vector<size_t> Seen;
  std::thread::id Here = std::this_thread::get_id();
  forEachInParallel(5, 1, [&](size_t I) {
    EXPECT_EQ(std::this_thread::get_id(), Here);
    Seen.push_back(I);
  });
  EXPECT_EQ(Seen, (std::vector<size_t>{0, 1, 2, 3, 4}));
}

TEST(Parallel, OneCallStaysOnTheThread) {
  std::thread::id Here = std::this_thread::get_id(), Other;
  forEachInParallel(1, 4, [&](size_t) { Other = std::this_thread::get_id(); });
  EXPECT_EQ(Other, Here);
}

TEST(Parallel, NoMoreThanJobsAtATime) {
  constexpr size_t Count = 16;
  std::atomic<unsigned> Running = 0, Most = 0;
  std::vector<unsigned> Calls(Count);
  forEachInParallel(Count, 2, [&](size_t I) {
    unsigned Now = ++Running;
    for (unsigned Known = Most; Now > Known;)
      if (Most.compare_exchange_weak(Known, Now))
        break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ++Calls[I];
    --Running;
  });
  EXPECT_EQ(Calls, std::vector<unsigned>(Count, 1));
  EXPECT_LE(Most, 2u);
}

TEST(Parallel, NothingToDo) {
  forEachInParallel(0, 0, [](size_t) { FAIL(); });
}

} // namespace
