//===- ShownLaunchesTest.cpp - launches that host code shows --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/ShownLaunches.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

struct ShownLaunchesTest : testing::Test {
  LLVMContext Context;
  Module M{"launches", Context};
  Function *Kernel =
      Function::Create(FunctionType::get(Type::getVoidTy(Context), false),
                       Function::ExternalLinkage, "kernel", M);
  ShownLaunches Shown;

  StringRef text() {
    return Kernel->getFnAttribute("regdem-shown").getValueAsString();
  }
};

TEST_F(ShownLaunchesTest, AreReadAsTheyWereWritten) {
  Shown.Threads = {192, 32};
  setShownLaunches(*Kernel, Shown, /*DeclaresDynamic=*/false);
  EXPECT_EQ(text(), "blocks=192,32");
  ShownLaunches Read = shownLaunches(*Kernel);
  EXPECT_EQ(Read.Threads, Shown.Threads);
  EXPECT_FALSE(Read.HasOthers);
  EXPECT_EQ(Read.MostDynamic, 0u);
  Shown.HasOthers = true;
  Shown.MostDynamic = 4096;
  setShownLaunches(*Kernel, Shown, /*DeclaresDynamic=*/false);
  EXPECT_EQ(text(), "blocks=192,32 others dynamic=4096");
  Read = shownLaunches(*Kernel);
  EXPECT_TRUE(Read.HasOthers);
  EXPECT_EQ(Read.MostDynamic, 4096u);
  Shown.MostDynamic = std::nullopt;
  setShownLaunches(*Kernel, Shown, /*DeclaresDynamic=*/false);
  EXPECT_EQ(shownLaunches(*Kernel).MostDynamic, std::nullopt);
}

TEST_F(ShownLaunchesTest, WhatAKernelDeclaresOtherFilesMayChoose) {
  Shown.Threads = {64};
  Shown.MostDynamic = 4096;
  setShownLaunches(*Kernel, Shown, /*DeclaresDynamic=*/true);
  EXPECT_EQ(text(), "blocks=64");
}

TEST_F(ShownLaunchesTest, NothingIsKnownWithoutThem) {
  ShownLaunches Read = shownLaunches(*Kernel);
  EXPECT_TRUE(Read.Threads.empty());
  EXPECT_EQ(Read.MostDynamic, 0u);
}

TEST_F(ShownLaunchesTest, KernelsOfLinkedCodeHaveLongerNames) {
  LaunchesOfFile OfFile;
  OfFile["_ZL4stepPf"].Threads = {64};
  for (StringRef Name : {"_ZL4stepPf", "_ZL4stepPf__static__263ef40f",
                         "_ZL4stepPf__intern__263ef40f"})
    EXPECT_EQ(findLaunches(OfFile, Name), &OfFile["_ZL4stepPf"]);
  EXPECT_EQ(findLaunches(OfFile, "_ZL4stepPd"), nullptr);
}

} // namespace
