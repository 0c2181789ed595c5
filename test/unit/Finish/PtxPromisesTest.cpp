//===- PtxPromisesTest.cpp - what PTX promises ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Finish/PtxPromises.h"
#include "regdem/Options.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

ProgramPromises promisesOf(StringRef Text) {
  ProgramPromises Promised;
  addPromisesOf(Text, Options(), Promised);
  return Promised;
}

constexpr const char *Bounded = R"(
.version 9.0
.target sm_90
.visible .entry bounded(.param .u64 a)
.maxntid 256, 1, 1
.minnctapersm 3
{
  { .reg .b32 r; }
  ret;
}
.entry capped() .maxnreg 40 { ret; }
)";

TEST(PtxPromisesTest, DirectivesPromiseBlocksAndRegisters) {
  ProgramPromises P = promisesOf(Bounded);
  EXPECT_EQ(P.Named.size(), 2u);
  EXPECT_EQ(P.of("bounded").BlocksPerSM, 3u);
  EXPECT_FALSE(P.of("bounded").KeepsAllBlocks);
  EXPECT_EQ(P.of("bounded").DynamicShared, 0u);
  EXPECT_EQ(P.of("capped").BlocksPerSM, 0u);
  EXPECT_EQ(P.of("capped").MaxRegs, 40u);
}

TEST(PtxPromisesTest, DeclaredDynamicSharedMemoryIsOfUnknownSize) {
  ProgramPromises P = promisesOf(".extern .shared .align 16 .b8 buffer[];\n"
                                 ".entry k() { mov.u32 %r1, buffer; ret; }");
  EXPECT_FALSE(P.of("k").DynamicShared);
}

TEST(PtxPromisesTest, KernelsThatReadTheirGridKeepAllBlocks) {
  ProgramPromises P = promisesOf(R"(
.entry sync() { mov.u32 %r1, %envreg2; ret; }
.entry other() { ret; }
)");
  EXPECT_TRUE(P.of("sync").KeepsAllBlocks);
  EXPECT_FALSE(P.of("other").KeepsAllBlocks);
}

TEST(PtxPromisesTest, SoDoThoseThatCallAFunctionWhichReadsIt) {
  ProgramPromises P = promisesOf(R"(
.func (.param .b32 r) grid();
.entry caller() { call.uni (r0), grid, (); ret; }
.entry other() { ret; }
.func (.param .b32 r) grid() { mov.u32 %r1, %envreg1; ret; }
)");
  EXPECT_TRUE(P.of("caller").KeepsAllBlocks);
  EXPECT_FALSE(P.of("other").KeepsAllBlocks);
}

TEST(PtxPromisesTest, WhatIsNoPtxPromisesNothing) {
  EXPECT_TRUE(promisesOf("").Named.empty());
  EXPECT_TRUE(promisesOf(".entry cut(").Named.empty());
  EXPECT_TRUE(promisesOf("\x7f ELF .entry {{{").Named.empty());
}

} // namespace
