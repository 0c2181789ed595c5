//===- PtxasCubinTest.cpp - programs that the assembler returns -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Ptxas.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// A script in place of ptxas: it prints figures, and writes "cubin of INPUT"
/// to what follows -o.
class PtxasCubin : public testing::Test {
protected:
  SmallString<128> Path;
  std::optional<FileRemover> Remover;

  void SetUp() override {
    int Descriptor = -1;
    ASSERT_FALSE(sys::fs::createTemporaryFile("ptxas", "sh", Descriptor, Path));
    Remover.emplace(Path);
    raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
    OS << "#!/bin/sh\n"
          "echo 'ptxas info : Used 40 registers'\n"
          "[ \"$4\" = -o ] || exit 1\n"
          "{ printf 'cubin of '; cat \"$3\"; } > \"$5\"\n";
    OS.close();
    ASSERT_FALSE(sys::fs::setPermissions(Path, sys::fs::all_all));
  }
};

TEST_F(PtxasCubin, KeptWhereAskedFor) {
  Expected<std::optional<Ptxas>> Tool = Ptxas::choose(Path);
  ASSERT_TRUE(bool(Tool));
  ASSERT_TRUE(Tool->has_value());
  std::vector<Ptxas::Job> Jobs(3);
  Jobs[0] = {"first", /*Relocatable=*/false, /*KeepCubin=*/true};
  Jobs[1] = {"second", /*Relocatable=*/true, /*KeepCubin=*/false};
  Jobs[2] = {"third", /*Relocatable=*/true, /*KeepCubin=*/true};
  auto Figures = (*Tool)->assemble(Jobs, "sm_90", ToolLimits());
  ASSERT_TRUE(bool(Figures)) << toString(Figures.takeError());
  ASSERT_EQ(Figures->size(), 3u);
  EXPECT_EQ((*Figures)[0].Regs, 40u);
  EXPECT_EQ((*Figures)[0].Cubin, "cubin of first");
  EXPECT_EQ((*Figures)[1].Cubin, "");
  EXPECT_EQ((*Figures)[2].Cubin, "cubin of third");
}

} // namespace
