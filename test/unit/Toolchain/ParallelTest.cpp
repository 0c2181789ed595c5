//===- ParallelTest.cpp - several pieces of work at a time ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Parallel.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Jobserver.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace llvm;
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

TEST(Parallel, CallsShareTheJobs) {
  EXPECT_EQ(shareOf(3), 3u); // What is stated holds, whatever the cores.
  std::atomic<unsigned> Running = 0, Most = 0, Calls = 0;
  forEachInParallel(2, 2, [&](size_t) {
    // All calls beside this one may have returned.
    EXPECT_LE(shareOf(0), 2u);
    forEachInParallel(8, 0, [&](size_t) {
      unsigned Now = ++Running;
      for (unsigned Known = Most; Now > Known;)
        if (Most.compare_exchange_weak(Known, Now))
          break;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ++Calls;
      --Running;
    });
  });
  EXPECT_EQ(Calls, 16u);
  EXPECT_LE(Most, 2u);
}

TEST(Parallel, TheLastCallHasAllJobs) {
  unsigned All = shareOf(2);
  std::atomic<unsigned> Alone = 0;
  forEachInParallel(2, 2, [&](size_t I) {
    if (I)
      return;
    // The other call returns, which shows some time later.
    for (unsigned Tries = 0; Tries != 5000 && shareOf(2) != All; ++Tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Alone = shareOf(2);
  });
  EXPECT_EQ(Alone, All);
}

TEST(Parallel, NothingToDo) {
  forEachInParallel(0, 0, [](size_t) { FAIL(); });
}

/// A jobserver with so many slots to spare.
class Jobserver {
public:
  explicit Jobserver(unsigned Slots) {
    cantFail(
        errorCodeToError(sys::fs::createUniqueDirectory("jobserver", Folder)));
    std::string Path = (Folder + "/fifo").str();
    EXPECT_EQ(mkfifo(Path.c_str(), 0600), 0);
    Fifo = open(Path.c_str(), O_RDWR | O_NONBLOCK);
    EXPECT_EQ(write(Fifo, "++++++++", Slots), ssize_t(Slots));
    setenv("MAKEFLAGS", ("-j --jobserver-auth=fifo:" + Path).c_str(), 1);
    JobserverClient::resetForTesting();
  }
  ~Jobserver() {
    unsetenv("MAKEFLAGS");
    JobserverClient::resetForTesting();
    close(Fifo);
    sys::fs::remove_directories(Folder);
  }
  size_t left() {
    char Slots[16];
    return std::max<ssize_t>(read(Fifo, Slots, sizeof(Slots)), 0);
  }

private:
  SmallString<64> Folder;
  int Fifo = -1;
};

TEST(Parallel, NoMoreThanAJobserverHasSlotsFor) {
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "one core";
  for (unsigned Slots : {0u, 1u, 2u}) {
    Jobserver Server(Slots);
    std::atomic<unsigned> Running = 0, Most = 0;
    for (unsigned Time = 0; Time != 2;
         ++Time) // The first slot is no spare one.
      forEachInParallel(4, /*Jobs=*/0, [&](size_t) {
        forEachInParallel(2, /*Jobs=*/0, [&](size_t) {
          unsigned Now = ++Running;
          for (unsigned Old = Most; Old < Now;)
            if (Most.compare_exchange_weak(Old, Now))
              break;
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          --Running;
        });
      });
    EXPECT_LE(Most, Slots + 1);
    EXPECT_EQ(Server.left(), Slots);
  }
}

TEST(Parallel, OtherFilesAreNoJobserver) {
  // As where make has closed its pipe, and others have its files' numbers.
  SmallString<64> Path;
  int File = -1, Pipes[2][2];
  cantFail(errorCodeToError(
      sys::fs::createTemporaryFile("list", "txt", File, Path)));
  ASSERT_EQ(write(File, "one\n", 4), 4);
  ASSERT_TRUE(pipe(Pipes[0]) == 0 && pipe(Pipes[1]) == 0);
  ASSERT_EQ(write(Pipes[0][1], "one\n", 4), 4);
  for (auto [Read, Write] : {std::pair(File, File),
                             {File, Pipes[1][1]},
                             {Pipes[0][0], Pipes[1][1]}}) {
    lseek(File, 0, SEEK_SET);
    std::string Flags = "-j2 --jobserver-auth=" + std::to_string(Read) + "," +
                        std::to_string(Write);
    setenv("MAKEFLAGS", Flags.c_str(), 1);
    JobserverClient::resetForTesting();
    std::atomic<unsigned> Calls = 0;
    for (unsigned Time = 0; Time != 2; ++Time)
      forEachInParallel(4, /*Jobs=*/4, [&](size_t) { ++Calls; });
    EXPECT_EQ(Calls, 8u);
    EXPECT_EQ(lseek(File, 0, SEEK_CUR), 0) << Flags;
  }
  char Left[8];
  EXPECT_EQ(read(Pipes[0][0], Left, sizeof(Left)), 4);
  unsetenv("MAKEFLAGS");
  JobserverClient::resetForTesting();
  for (int Open : {File, Pipes[0][0], Pipes[0][1], Pipes[1][0], Pipes[1][1]})
    close(Open);
  sys::fs::remove(Path);
}

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
