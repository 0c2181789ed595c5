//===- DecisionCacheTest.cpp - decisions of earlier compilations ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder/DecisionCache.h"

#include "regdem/Analysis/KernelHash.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <csignal>
#include <fstream>
#include <sys/resource.h>

using namespace llvm;
using namespace regdem;

namespace {

class DecisionCacheTest : public testing::Test {
protected:
  SmallString<64> Folder;
  std::optional<DecisionCache> Cache;

  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("regdem-cache", Folder));
    Cache = DecisionCache::open((Folder + "/cache").str());
    ASSERT_TRUE(Cache);
  }
  void TearDown() override {
    EXPECT_FALSE(sys::fs::remove_directories(Folder));
  }

  unsigned countFiles() const {
    unsigned Count = 0;
    std::error_code EC;
    for (sys::fs::directory_iterator It(Folder + "/cache", EC), End;
         !EC && It != End; It.increment(EC))
      ++Count;
    return Count;
  }
};

TEST_F(DecisionCacheTest, KeepsWhatIsStored) {
  EXPECT_EQ(Cache->find("key"), std::nullopt);
  EXPECT_FALSE(errorToBool(Cache->store("key", "one\nvalue")));
  EXPECT_EQ(Cache->find("key"), "one\nvalue");
  EXPECT_EQ(Cache->find("other"), std::nullopt);
  EXPECT_FALSE(errorToBool(Cache->store("key", "")));
  EXPECT_EQ(Cache->find("key"), "");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(DecisionCacheTest, OffIsNone) {
  EXPECT_FALSE(DecisionCache::open("off"));
}

TEST_F(DecisionCacheTest, FullDiskIsAnErrorThatLeavesNothing) {
  EXPECT_FALSE(errorToBool(Cache->store("small", "value")));
  // A limit of the size of files fails as a disk without room does.
  rlimit Before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &Before), 0);
  auto *Handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit Low = Before;
  Low.rlim_cur = 16;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &Low), 0);
  Error Problem = Cache->store("large", std::string(4096, 'x'));
  setrlimit(RLIMIT_FSIZE, &Before);
  std::signal(SIGXFSZ, Handler);
  std::string Text = toString(std::move(Problem));
  EXPECT_NE(Text.find("cannot write to"), std::string::npos) << Text;
  EXPECT_EQ(Cache->find("large"), std::nullopt);
  EXPECT_EQ(Cache->find("small"), "value");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(DecisionCacheTest, FolderThatCannotBeMadeIsAnError) {
  std::ofstream((Folder + "/file").str()) << "text";
  std::optional<DecisionCache> Below =
      DecisionCache::open((Folder + "/file/cache").str());
  EXPECT_EQ(Below->find("key"), std::nullopt);
  EXPECT_TRUE(errorToBool(Below->store("key", "value")));
}

TEST_F(DecisionCacheTest, DigestOfAFileFollowsItsContents) {
  std::string Path = (Folder + "/tool").str();
  EXPECT_EQ(Cache->digestOfFile(Path), "");
  std::ofstream(Path) << "one";
  std::string One = Cache->digestOfFile(Path);
  EXPECT_EQ(One, digest("one"));
  EXPECT_EQ(Cache->digestOfFile(Path), One); // As it is kept.
  std::ofstream(Path) << "other";
  EXPECT_EQ(Cache->digestOfFile(Path), digest("other"));
}

} // namespace
