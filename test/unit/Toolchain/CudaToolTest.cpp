//===- CudaToolTest.cpp - programs of the toolkit are run -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Toolchain/CudaTool.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace llvm;
using namespace regdem;

namespace {

/// A script in place of a program of the toolkit.
class CudaTools : public testing::Test {
protected:
  SmallString<128> Path;
  std::optional<FileRemover> Remover;

  void make(StringRef Script) {
    int Descriptor = -1;
    ASSERT_FALSE(sys::fs::createTemporaryFile("tool", "sh", Descriptor, Path));
    Remover.emplace(Path);
    raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
    OS << "#!/bin/sh\n" << Script << "\n";
    OS.close();
    ASSERT_FALSE(sys::fs::setPermissions(Path, sys::fs::all_all));
  }
  std::string run() {
    auto Printed = runCudaTool({Path.str().str(), ToolLimits()}, {"a"});
    return Printed ? *Printed : toString(Printed.takeError());
  }
};

TEST_F(CudaTools, MemoryIsInLargePagesUnlessTheUserTunesIt) {
  make("echo $1 $REGDEM_MODE $GLIBC_TUNABLES");
  unsetenv("GLIBC_TUNABLES");
  std::string Printed = run();
  EXPECT_EQ(Printed.find("a off glibc.malloc.hugetlb=1:"), 0u) << Printed;
  setenv("GLIBC_TUNABLES", "glibc.malloc.arena_max=1", /*overwrite=*/1);
  EXPECT_EQ(run(), "a off glibc.malloc.arena_max=1\n");
  unsetenv("GLIBC_TUNABLES");
}

TEST_F(CudaTools, FailuresSayWhatTheProgramPrinted) {
  make("echo no such thing; exit 3");
  std::string Printed = run();
  EXPECT_NE(Printed.find("ended with 3: no such thing"), std::string::npos)
      << Printed;
}

TEST(CudaTool, ChosenByTheOption) {
  auto Off = chooseCudaTool("off", "ptxas", "assembler");
  ASSERT_TRUE(bool(Off));
  EXPECT_FALSE(*Off);
  auto Wrong = chooseCudaTool("/no/such/program", "ptxas", "assembler");
  ASSERT_FALSE(bool(Wrong));
  EXPECT_EQ(toString(Wrong.takeError()), "no assembler at '/no/such/program'");
}

} // namespace
