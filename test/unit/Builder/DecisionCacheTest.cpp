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
#include <sys/stat.h>
#include <unistd.h>

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

  std::string real(StringRef Name) const {
    SmallString<64> Path;
    EXPECT_FALSE(sys::fs::real_path(Folder, Path));
    return (Path + Name).str();
  }
  void setMode(StringRef Name, mode_t Mode) const {
    EXPECT_EQ(chmod((Folder + Name).str().c_str(), Mode), 0);
  }
  unsigned modeOf(StringRef Name) const {
    struct stat S;
    EXPECT_EQ(stat((Folder + Name).str().c_str(), &S), 0);
    return S.st_mode & 07777;
  }
  /// Of a cache that has not looked yet. It finds what "key" has, or nothing.
  std::string refusalNow() const {
    auto Now = DecisionCache::open((Folder + "/cache").str());
    EXPECT_EQ(Now->find("key").has_value(), Now->refusal().empty());
    return Now->refusal();
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

TEST_F(DecisionCacheTest, FolderMayHaveAnyName) {
  // LLVM's functions for temporary files take % as a placeholder.
  auto Named = DecisionCache::open((Folder + "/100%%/%s %%%%").str());
  EXPECT_FALSE(errorToBool(Named->store("key", "value")));
  EXPECT_EQ(Named->find("key"), "value");
  EXPECT_TRUE(sys::fs::exists(Folder + "/100%%/%s %%%%"));
}

TEST_F(DecisionCacheTest, NobodyElseReadsOrWritesWhatIsStored) {
  mode_t Before = umask(0);
  Error Problem = Cache->store("key", "value");
  umask(Before);
  EXPECT_FALSE(errorToBool(std::move(Problem)));
  EXPECT_EQ(modeOf("/cache"), 0700u);
  EXPECT_EQ(modeOf("/cache/llvmcache-key"), 0600u);
}

TEST_F(DecisionCacheTest, FolderOfOthersIsRefused) {
  EXPECT_FALSE(errorToBool(Cache->store("key", "value")));
  for (mode_t Mode : {0770, 0702, 01777}) {
    setMode("/cache", Mode);
    EXPECT_EQ(refusalNow(), "others can write '" + real("/cache") +
                                "': run chmod go-w '" + real("/cache") +
                                "', or name another folder in "
                                "REGDEM_CACHE_DIR");
  }
  setMode("/cache", 0755);
  EXPECT_EQ(refusalNow(), "");
}

TEST_F(DecisionCacheTest, ParentInWhichOthersReplaceTheFolderIsRefused) {
  EXPECT_FALSE(errorToBool(Cache->store("key", "value")));
  setMode("", 0777);
  EXPECT_NE(refusalNow(), "");
  setMode("", 01777); // As /tmp.
  EXPECT_EQ(refusalNow(), "");
}

TEST_F(DecisionCacheTest, FolderIsNotMadeWhereOthersReplaceIt) {
  setMode("", 0777);
  EXPECT_NE(Cache->refusal(), "");
  EXPECT_EQ(countFiles(), 0u);
}

TEST_F(DecisionCacheTest, LinkLeadsToTheFolderThatCounts) {
  EXPECT_FALSE(errorToBool(Cache->store("key", "value")));
  ASSERT_FALSE(sys::fs::create_link("cache", Folder + "/link"));
  auto Linked = DecisionCache::open((Folder + "/link").str());
  EXPECT_EQ(Linked->find("key"), "value");
  setMode("/cache", 0777);
  EXPECT_NE(DecisionCache::open((Folder + "/link").str())->refusal(), "");
}

TEST_F(DecisionCacheTest, EntryOfOthersIsRefused) {
  EXPECT_FALSE(errorToBool(Cache->store("key", "value")));
  EXPECT_FALSE(errorToBool(Cache->store("good", "value")));
  setMode("/cache/llvmcache-key", 0620);
  EXPECT_EQ(Cache->find("key"), std::nullopt);
  EXPECT_NE(Cache->refusal().find("llvmcache-key"), std::string::npos);
  // Nothing more is asked of such a cache.
  EXPECT_EQ(Cache->find("good"), std::nullopt);
  EXPECT_TRUE(errorToBool(Cache->store("new", "value")));
  EXPECT_EQ(countFiles(), 2u);
}

TEST_F(DecisionCacheTest, OtherUsersFilesAreRefused) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  constexpr uid_t Other = 54321;
  EXPECT_FALSE(errorToBool(Cache->store("key", "value")));
  ASSERT_EQ(chown((Folder + "/cache/llvmcache-key").str().c_str(), Other, -1),
            0);
  EXPECT_EQ(DecisionCache::open((Folder + "/cache").str())->find("key"),
            std::nullopt);
  ASSERT_EQ(chown((Folder + "/cache").str().c_str(), Other, -1), 0);
  EXPECT_EQ(refusalNow(), "'" + real("/cache") +
                              "' belongs to another user: name a folder of "
                              "your own in REGDEM_CACHE_DIR");
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
