//===- DisassemblerTest.cpp - several programs at a time ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Disassembler.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// A script in place of nvdisasm: for a "cubin" that is the name of a recorded
/// file it prints that file. It writes two lines to a log for each run, the
/// second with what the environment says.
class DisassemblerRuns : public testing::Test {
protected:
  SmallString<128> Path, Log;
  std::optional<FileRemover> PathRemover, LogRemover;

  void SetUp() override {
    int Descriptor = -1;
    ASSERT_FALSE(sys::fs::createTemporaryFile("runs", "log", Log));
    LogRemover.emplace(Log);
    ASSERT_FALSE(
        sys::fs::createTemporaryFile("nvdisasm", "sh", Descriptor, Path));
    PathRemover.emplace(Path);
    raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
    OS << "#!/bin/sh\n"
       << "(echo run; echo $REGDEM_MODE $GLIBC_TUNABLES) >> '" << Log << "'\n"
       << "exec cat '" REGDEM_UNIT_INPUTS "/'\"$(cat \"$3\")\"\n";
    OS.close();
    ASSERT_FALSE(sys::fs::setPermissions(Path, sys::fs::all_all));
  }

  size_t count(StringRef Line) const {
    auto Text = MemoryBuffer::getFile(Log);
    return Text ? (*Text)->getBuffer().count(Line) : 0;
  }
  size_t countRuns() const { return count("run\n"); }
};

TEST_F(DisassemblerRuns, ResultsAreInOrderAndEqualProgramsReadOnce) {
  Expected<Disassembler> Tool = Disassembler::choose(Path);
  ASSERT_TRUE(bool(Tool));
  StringRef Loops = "loops-sm_90.sass", Branches = "branches-sm_90.sass";
  auto Kernels = Tool->disassemble({Loops, Branches, Loops}, "", ToolLimits());
  ASSERT_TRUE(bool(Kernels)) << toString(Kernels.takeError());
  ASSERT_EQ(Kernels->size(), 3u);
  EXPECT_EQ((*Kernels)[0].Name, "loops");
  EXPECT_EQ((*Kernels)[1].Name, "branches");
  EXPECT_EQ((*Kernels)[2].Name, "loops");
  EXPECT_EQ((*Kernels)[2].Blocks.size(), (*Kernels)[0].Blocks.size());
  EXPECT_EQ(countRuns(), 2u);
}

TEST_F(DisassemblerRuns, MemoryIsInLargePagesUnlessTheUserTunesIt) {
  Expected<Disassembler> Tool = Disassembler::choose(Path);
  ASSERT_TRUE(bool(Tool));
  auto Run = [&] {
    auto Kernels = Tool->disassemble({"loops-sm_90.sass"}, "", ToolLimits());
    EXPECT_TRUE(bool(Kernels)) << toString(Kernels.takeError());
  };
  unsetenv("GLIBC_TUNABLES");
  Run();
  EXPECT_EQ(count("off glibc.malloc.hugetlb=1:"), 1u);
  setenv("GLIBC_TUNABLES", "glibc.malloc.arena_max=1", /*overwrite=*/1);
  Run();
  unsetenv("GLIBC_TUNABLES");
  EXPECT_EQ(count("off glibc.malloc.arena_max=1\n"), 1u);
}

TEST_F(DisassemblerRuns, OneFailureFailsAll) {
  Expected<Disassembler> Tool = Disassembler::choose(Path);
  ASSERT_TRUE(bool(Tool));
  auto Kernels =
      Tool->disassemble({"loops-sm_90.sass", "no-such-file"}, "", ToolLimits());
  ASSERT_FALSE(bool(Kernels));
  std::string Why = toString(Kernels.takeError());
  EXPECT_NE(Why.find("ended with 1: cat: "), std::string::npos) << Why;
}

TEST(Disassembler, ChosenByTheOption) {
  auto Off = Disassembler::choose("off");
  ASSERT_TRUE(bool(Off));
  EXPECT_EQ(Off->path(), "");
  auto Unread = Off->list("", ToolLimits());
  ASSERT_FALSE(bool(Unread));
  EXPECT_EQ(toString(Unread.takeError()),
            "it takes nvdisasm to read this machine code, and none was found");
  auto Wrong = Disassembler::choose("/no/such/program");
  ASSERT_FALSE(bool(Wrong));
  EXPECT_EQ(toString(Wrong.takeError()),
            "no disassembler at '/no/such/program'");
}

} // namespace
