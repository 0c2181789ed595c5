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
#include <atomic>
#include <thread>

using namespace llvm;
using namespace regdem;

namespace {

/// A script in place of ptxas: it prints figures, writes "cubin of INPUT" to
/// what follows -o, and counts its runs in a file beside it. It refuses "bad"
/// and crashes at "worse".
class PtxasCubin : public testing::Test {
protected:
  SmallString<128> Path;
  SmallString<128> Runs;
  std::optional<FileRemover> Remover, RunsRemover;

  void SetUp() override {
    int Descriptor = -1;
    ASSERT_FALSE(sys::fs::createTemporaryFile("ptxas", "sh", Descriptor, Path));
    Remover.emplace(Path);
    raw_fd_ostream OS(Descriptor, /*shouldClose=*/true);
    OS << "#!/bin/sh\n"
          "echo 'ptxas info : Used 40 registers'\n"
          "echo >> \"$0.runs\"\n"
          "! grep -q worse \"$3\" || kill -SEGV $$\n"
          "[ \"$4\" = -o ] && ! grep -q bad \"$3\" || exit 1\n"
          "{ printf 'cubin of '; cat \"$3\"; } > \"$5\"\n";
    OS.close();
    ASSERT_FALSE(sys::fs::setPermissions(Path, sys::fs::all_all));
    Runs = Path;
    Runs += ".runs";
    RunsRemover.emplace(Runs);
  }

  /// Runs so far.
  uint64_t countRuns() const {
    uint64_t Bytes = 0; // A line break for each.
    EXPECT_FALSE(sys::fs::file_size(Runs, Bytes));
    return Bytes;
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

TEST_F(PtxasCubin, EqualJobsAreDoneOnce) {
  Ptxas Tool = *cantFail(Ptxas::choose(Path));
  Ptxas::Job A{"a", false, true}, B{"b", false, true}, Other = A;
  Other.KeepCubin = false;
  auto Assemble = [&](ArrayRef<Ptxas::Job> Jobs, StringRef Arch) {
    std::string Texts;
    auto Figures = Tool.assemble(Jobs, Arch, ToolLimits());
    EXPECT_TRUE(bool(Figures)) << toString(Figures.takeError());
    for (const PtxasFigures &F : *Figures)
      Texts += F.Cubin + ";";
    return Texts;
  };
  EXPECT_EQ(Assemble({A, B, A}, "sm_90"), "cubin of a;cubin of b;cubin of a;");
  EXPECT_EQ(countRuns(), 2u);
  Ptxas Copy = Tool;
  EXPECT_EQ(cantFail(Copy.assemble(B, "sm_90", ToolLimits())).front().Cubin,
            "cubin of b");
  EXPECT_EQ(countRuns(), 2u);
  Assemble({Other}, "sm_90");
  Assemble({A}, "sm_80");
  EXPECT_EQ(countRuns(), 4u);
}

TEST_F(PtxasCubin, ThreadsShareJobs) {
  Ptxas Tool = *cantFail(Ptxas::choose(Path));
  std::atomic<int> Right = 0;
  std::vector<std::thread> Threads;
  for (int I = 0; I != 8; ++I)
    Threads.emplace_back([&, I] {
      Ptxas::Job A{"a", false, true}, B{"b", false, true};
      std::vector<Ptxas::Job> Jobs{I % 2 ? A : B, I % 2 ? B : A};
      auto Figures = cantFail(Tool.assemble(Jobs, "sm_90", ToolLimits()));
      Right += Figures.front().Cubin == (I % 2 ? "cubin of a" : "cubin of b");
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Right, 8);
  EXPECT_EQ(countRuns(), 2u);
}

TEST_F(PtxasCubin, FailedJobsFailAlike) {
  Ptxas Tool = *cantFail(Ptxas::choose(Path));
  Ptxas::Job Bad{"worse", false, true}, Good{"good", false, true};
  for (int Time = 0; Time != 2; ++Time) {
    auto Figures = Tool.assemble({Bad, Bad}, "sm_90", ToolLimits());
    ASSERT_FALSE(bool(Figures));
    EXPECT_TRUE(StringRef(toString(Figures.takeError()))
                    .starts_with("'" + Tool.path().str() + "' ended with "));
    EXPECT_EQ(countRuns(), 1u);
  }
  EXPECT_EQ(cantFail(Tool.assemble(Good, "sm_90", ToolLimits())).front().Cubin,
            "cubin of good");
}

TEST_F(PtxasCubin, RefusalIsNoFault) {
  Ptxas Tool = *cantFail(Ptxas::choose(Path));
  Ptxas::Job Bad{"bad", false, true}, Good{"good", false, true};
  for (int Time = 0; Time != 2; ++Time) {
    auto Figures = cantFail(Tool.attempt({Bad, Good}, "sm_90", ToolLimits()));
    EXPECT_EQ(Figures[0].Refusal,
              "ended with 1: ptxas info : Used 40 registers");
    EXPECT_EQ(Figures[0].Regs, 40u) << "printed nevertheless";
    EXPECT_EQ(Figures[0].Cubin, "");
    EXPECT_EQ(Figures[1].Refusal, "");
    EXPECT_EQ(Figures[1].Cubin, "cubin of good");
  }
  EXPECT_EQ(countRuns(), 2u);
  auto Strict = Tool.assemble({Good, Bad}, "sm_90", ToolLimits());
  ASSERT_FALSE(bool(Strict));
  EXPECT_EQ(toString(Strict.takeError()),
            "'" + Tool.path().str() +
                "' ended with 1: ptxas info : Used 40 registers");
}

TEST_F(PtxasCubin, FlagsTellJobsApart) {
  Ptxas Tool = *cantFail(Ptxas::choose(Path));
  Ptxas::Job Plain{"good", false, true}, Flagged = Plain;
  Flagged.Flags = {"-Werror"};
  cantFail(Tool.assemble({Plain, Flagged, Flagged}, "sm_90", ToolLimits()));
  EXPECT_EQ(countRuns(), 2u);
}

} // namespace
