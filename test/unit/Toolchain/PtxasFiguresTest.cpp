//===- PtxasFiguresTest.cpp - what ptxas -v says ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Ptxas.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

/// Registers, bytes of the frame, of spill stores and loads, and of shared
/// memory; none where Text has no figures.
std::vector<unsigned> figuresIn(llvm::StringRef Text) {
  auto F = parsePtxasFigures(Text);
  if (!F)
    return {};
  return {F->Regs, F->FrameBytes, F->SpillStoreBytes, F->SpillLoadBytes,
          F->StaticShared};
}

using Figures = std::vector<unsigned>;

TEST(PtxasFigures, OneKernel) {
  auto F = figuresIn(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'mix' for 'sm_90'\n"
      "ptxas info    : Function properties for mix\n"
      "    96 bytes stack frame, 92 bytes spill stores, 184 bytes spill loads\n"
      "ptxas info    : Used 40 registers, used 1 barriers, 96 bytes cumulative "
      "stack size, 9216 bytes smem, 400 bytes cmem[0]\n");
  EXPECT_EQ(F, (Figures{40, 96, 92, 184, 9216}));
}

TEST(PtxasFigures, KernelWithoutSharedMemory) {
  auto F = figuresIn(
      "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
      "ptxas info    : Function properties for k\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 12 registers, used 0 barriers, 368 bytes cmem[0]\n"
      "ptxas info    : Compile time = 3.145 ms\n");
  EXPECT_EQ(F, (Figures{12, 0, 0, 0, 0}));
}

TEST(PtxasFigures, SpillsOfCalledFunctionsCountToo) {
  auto F = figuresIn(
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info    : Function properties for k\n"
      "    8 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 0 barriers, 8 bytes smem\n"
      "ptxas info    : Function properties for helper\n"
      "    40 bytes stack frame, 40 bytes spill stores, 20 bytes spill "
      "loads\n");
  EXPECT_EQ(F, (Figures{24, 48, 48, 32, 8}));
}

TEST(PtxasFigures, NegativeSpillsAreNone) {
  // ptxas 13.0 prints such figures for some programs that spill to shared
  // memory.
  auto F = figuresIn(
      "    0 bytes stack frame, -16 bytes spill stores, -24 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 0 barriers\n");
  EXPECT_EQ(F, (Figures{32, 0, 0, 0, 0}));
}

TEST(PtxasFigures, WhatGoesToSharedMemoryIsTakenOffTheSum) {
  auto F = figuresIn(
      "    800 bytes stack frame, -72 bytes spill stores, -104 bytes spill "
      "loads\n"
      "ptxas info    : Used 128 registers, used 0 barriers, 9216 bytes smem\n"
      "ptxas info    : Function properties for helper\n"
      "    0 bytes stack frame, 160 bytes spill stores, 192 bytes spill "
      "loads\n");
  EXPECT_EQ(F, (Figures{128, 800, 88, 88, 9216}));
}

TEST(PtxasFigures, NoneInOtherText) {
  EXPECT_FALSE(parsePtxasFigures(""));
  EXPECT_FALSE(parsePtxasFigures("ptxas fatal   : Unresolved extern function "
                                 "'missing'\n"));
  EXPECT_FALSE(parsePtxasFigures(
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"));
}

} // namespace
