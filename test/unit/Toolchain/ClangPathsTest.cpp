//===- ClangPathsTest.cpp - where clang finds CUDA's programs ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first paths are those that clang++-22 -### prints for the same command
// line and files.
//
//===----------------------------------------------------------------------===//

#include "Toolchain/ClangPaths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace llvm;
using namespace regdem;

namespace {

/// Toolkits under one folder, which is the root of the file system for clang.
class ClangPathsTest : public testing::Test {
protected:
  SmallString<128> Root;
  Invocation I{{"/usr/lib/llvm-22/bin/clang", "-cc1", "-triple",
                "nvptx64-nvidia-cuda", "-target-cpu", "sm_90"},
               {"clang++-22"}};
  std::string OldPath = getenv("PATH") ? getenv("PATH") : "";

  void SetUp() override {
    SmallString<128> Folder;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("toolkits", Folder));
    ASSERT_FALSE(sys::fs::real_path(Folder, Root));
    setPath("/nowhere");
    unsetenv("COMPILER_PATH");
  }
  void TearDown() override {
    sys::fs::remove_directories(Root);
    setPath(OldPath);
    unsetenv("COMPILER_PATH");
  }

  static void setPath(const std::string &Path) {
    setenv("PATH", Path.c_str(), /*replace=*/true);
  }
  std::string under(StringRef Path) const { return (Root + Path).str(); }
  void makeFile(StringRef Path) {
    std::string File = under(Path);
    ASSERT_FALSE(sys::fs::create_directories(sys::path::parent_path(File)));
    std::error_code Failure;
    raw_fd_ostream(File, Failure) << "#!/bin/sh\n";
    ASSERT_FALSE(Failure);
    ASSERT_FALSE(sys::fs::setPermissions(File, sys::fs::all_all));
  }
  /// All that clang asks for, at Path.
  void makeToolkit(const std::string &Path) {
    makeFile(Path + "/bin/ptxas");
    makeFile(Path + "/include/cuda.h");
    makeFile(Path + "/nvvm/libdevice/libdevice.10.bc");
  }
  void add(std::string Arg) { I.Parent.push_back(std::move(Arg)); }
  void addRoot() { add("--sysroot=" + Root.str().str()); }
  std::string first(StringRef Name = "ptxas") const {
    std::vector<std::string> Paths = clangToolPaths(I, Name);
    return Paths.empty() ? "" : Paths.front();
  }
};

TEST_F(ClangPathsTest, ToolkitThatIsNamedGoesBeforeOthers) {
  makeToolkit("/new");
  makeToolkit("/usr/local/cuda");
  addRoot();
  EXPECT_EQ(first(), under("/usr/local/cuda/bin/ptxas"));
  add("--cuda-path=/nowhere");
  add("--cuda-path=" + under("/new"));
  EXPECT_EQ(first(), under("/new/bin/ptxas"));
  EXPECT_EQ(first("cuobjdump"), under("/new/bin/cuobjdump"));
}

TEST_F(ClangPathsTest, NoOtherSpellingNamesAToolkit) {
  makeToolkit("/new");
  add("-cuda-path=" + under("/new"));
  add("--cuda-path");
  add(under("/new"));
  add("-Xclang");
  add("--cuda-path=" + under("/new"));
  addRoot();
  EXPECT_EQ(first("cuobjdump"), "");
}

TEST_F(ClangPathsTest, WhatIsNamedMustBeAToolkit) {
  makeFile("/new/bin/ptxas");
  makeFile("/new/include/cuda.h");
  makeToolkit("/usr/local/cuda");
  addRoot();
  add("--cuda-path=" + under("/new"));
  EXPECT_EQ(first("cuobjdump"), "");
  add("-nocudalib");
  EXPECT_EQ(first(), under("/new/bin/ptxas"));
  add("--offloadlib");
  EXPECT_EQ(first("cuobjdump"), "");
}

TEST_F(ClangPathsTest, ToolkitOfTheSearchPathGoesBeforeTheUsualOnes) {
  makeToolkit("/usr/local/cuda");
  makeToolkit("/opt/cuda-13.5");
  addRoot();
  setPath(under("/opt/cuda-13.5/bin"));
  EXPECT_EQ(first(), under("/opt/cuda-13.5/bin/ptxas"));
  add("--cuda-path-ignore-env");
  EXPECT_EQ(first(), under("/usr/local/cuda/bin/ptxas"));
}

TEST_F(ClangPathsTest, LinksOfTheSearchPathAreFollowed) {
  makeToolkit("/opt/cuda-13.5");
  ASSERT_FALSE(
      sys::fs::create_link(under("/opt/cuda-13.5"), under("/opt/now")));
  setPath(under("/opt/now/bin"));
  EXPECT_EQ(first(), under("/opt/cuda-13.5/bin/ptxas"));
}

TEST_F(ClangPathsTest, PtxasAloneIsFoundLast) {
  makeToolkit("/usr/local/cuda");
  makeFile("/alone/ptxas");
  setPath(under("/alone"));
  addRoot();
  EXPECT_EQ(first(), under("/usr/local/cuda/bin/ptxas"));
  EXPECT_EQ(clangToolPaths(I, "ptxas").back(), under("/alone/ptxas"));
}

TEST_F(ClangPathsTest, OldVersionsAreUsual) {
  makeToolkit("/usr/local/cuda-7.5");
  makeToolkit("/usr/local/cuda-13.5");
  addRoot();
  EXPECT_EQ(first(), under("/usr/local/cuda-7.5/bin/ptxas"));
}

TEST_F(ClangPathsTest, EnvironmentOfOthersDoesNotMatter) {
  makeToolkit("/usr/local/cuda");
  makeToolkit("/other");
  addRoot();
  setenv("CUDA_PATH", under("/other").c_str(), /*replace=*/true);
  EXPECT_EQ(first(), under("/usr/local/cuda/bin/ptxas"));
  unsetenv("CUDA_PATH");
}

TEST_F(ClangPathsTest, AssemblerThatIsNamedIsTheOnlyOne) {
  makeToolkit("/usr/local/cuda");
  addRoot();
  using Paths = std::vector<std::string>;
  add("--ptxas-path=/opt/ptxas-13.5");
  EXPECT_EQ(clangToolPaths(I, "ptxas"), Paths{"/opt/ptxas-13.5"});
  EXPECT_EQ(first("cuobjdump"), under("/usr/local/cuda/bin/cuobjdump"));
  for (auto [For, Path] :
       {std::pair("-Xarch_host", "/opt/ptxas-13.5"),
        std::pair("-Xarch_sm_80", "/opt/ptxas-13.5"),
        std::pair("-Xcuda-ptxas", "/opt/ptxas-13.5"),
        std::pair("-Xarch_device", "/b"), std::pair("-Xarch_sm_90", "/b")}) {
    Invocation Before = I;
    add(For);
    add("--ptxas-path=/b");
    EXPECT_EQ(clangToolPaths(I, "ptxas"), Paths{Path}) << For;
    I = Before;
  }
}

TEST_F(ClangPathsTest, PrefixesGoBeforeToolkits) {
  makeToolkit("/usr/local/cuda");
  makeFile("/a/ptxas");
  makeFile("/b/ptxas");
  addRoot();
  setenv("COMPILER_PATH", under("/a").c_str(), /*replace=*/true);
  EXPECT_EQ(first(), under("/a/ptxas"));
  add("-B");
  add(under("/b"));
  EXPECT_EQ(first(), under("/b/ptxas"));
  I.Parent.resize(2);
  for (const char *Spelling : {"-B", "--prefix="}) {
    add(Spelling + under("/b"));
    EXPECT_EQ(first(), under("/b/ptxas"));
    I.Parent.pop_back();
  }
  add("-B" + under("/b/other-"));
  EXPECT_EQ(first(), under("/b/other-ptxas"));
}

TEST_F(ClangPathsTest, DriverThatCompilesItselfIsAsked) {
  makeToolkit("/new");
  Invocation Single{
      {"clang++-22", "--cuda-path=" + under("/new"), "-S", "k.cu"},
      {"make", "--cuda-path=/other"}};
  EXPECT_EQ(clangToolPaths(Single, "ptxas").front(), under("/new/bin/ptxas"));
}

} // namespace
