//===- PtxFactsTest.cpp - what a kernel's PTX states ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/PtxFacts.h"
#include "regdem/MachineCode/PtxText.h"
#include "regdem/Options.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

PtxFacts factsOf(StringRef Text, StringRef Kernel = "k",
                 const Options &O = Options()) {
  PtxFile File(Text);
  return collectPtxFacts(File, *File.find(Kernel), "sm_90a", O);
}

TEST(PtxFacts, DirectivesStateBounds) {
  PtxFacts Facts =
      factsOf(".entry k() .maxntid 32, 4 .minnctapersm 3 .maxnreg 40 { ret; }");
  EXPECT_EQ(Facts.Arch, 90u);
  EXPECT_EQ(Facts.ArchName, "sm_90a");
  EXPECT_EQ(Facts.Threads, 128u);
  EXPECT_EQ(Facts.ThreadsFrom, BlockSizeSource::MaxNTID);
  EXPECT_EQ(Facts.MinBlocks, 3u);
  EXPECT_EQ(Facts.MaxRegs, 40u);
}

TEST(PtxFacts, RequiredThreadsAreExact) {
  PtxFacts Facts = factsOf(".entry k() .reqntid 16, 8, 1 { ret; }");
  EXPECT_EQ(Facts.Threads, 128u);
  EXPECT_EQ(Facts.ThreadsFrom, BlockSizeSource::ReqNTID);
  EXPECT_EQ(Facts.Dims[1], 8u);
}

TEST(PtxFacts, OptionsStateWhatTheKernelDoesNot) {
  Options O;
  O.BlockSize = 96;
  EXPECT_EQ(factsOf(".entry k() { ret; }", "k", O).Threads, 96u);
  EXPECT_EQ(factsOf(".entry k() .maxntid 32 { ret; }", "k", O).Threads, 32u);
  EXPECT_FALSE(factsOf(".entry k() { ret; }").knowsBlockSize());
}

TEST(PtxFacts, DynamicSharedMemoryIsThatOfKernelsThatNameIt) {
  constexpr const char *Text =
      ".extern .shared .align 16 .b8 dyn[];\n"
      ".func f() { mov.u32 %r1, dyn; ret; }\n"
      ".entry k() { mov.u32 %r1, dyn; ret; }\n"
      ".entry calls() { call.uni f, (); ret; }\n"
      ".entry other() { mov.u32 %r1, dynamic; ret; }\n";
  EXPECT_TRUE(factsOf(Text).UsesDynamicShared);
  EXPECT_TRUE(factsOf(Text, "calls").UsesDynamicShared);
  EXPECT_FALSE(factsOf(Text, "other").UsesDynamicShared);
}

TEST(PtxFacts, CallsAreFollowed) {
  constexpr const char *Text =
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".func (.param .b32 r) f(.param .b32 x) { brx.idx %r1, $b; ret; }\n"
      ".func g() { call.uni h, (); ret; }\n"
      ".func h() { call.uni i, (); ret; }\n"
      ".func i() { call.uni g, (); ret; }\n"
      ".entry k() { call.uni (r0), \n f, \n (p0); ret; }\n"
      ".entry prints() { call.uni (r0), vprintf, (p0, p1); ret; }\n"
      ".entry external() { call.uni elsewhere, (); ret; }\n"
      ".entry indirect() { call (r0), %rd1, (p0), proto; ret; }\n"
      ".entry recursive() { call.uni g, (); ret; }\n"
      ".entry plain() { ret; }\n";
  EXPECT_TRUE(factsOf(Text).HasCalls);
  EXPECT_TRUE(factsOf(Text).HasJumpTable);
  EXPECT_FALSE(factsOf(Text).HasExternalCalls);
  EXPECT_FALSE(factsOf(Text).HasRecursion);
  EXPECT_FALSE(factsOf(Text, "prints").HasExternalCalls);
  EXPECT_TRUE(factsOf(Text, "external").HasExternalCalls);
  EXPECT_EQ(factsOf(Text, "external").ExternalCallee, "elsewhere");
  EXPECT_TRUE(factsOf(Text, "indirect").HasIndirectCalls);
  EXPECT_TRUE(factsOf(Text, "recursive").HasRecursion);
  EXPECT_FALSE(factsOf(Text, "plain").HasCalls);
}

TEST(PtxFacts, LocalArraysAreCounted) {
  EXPECT_EQ(factsOf(".entry k() { .local .align 16 .b8 __local_depot0[96]; "
                    ".local .align 4 .b8 more[20]; ld.local.u32 %r1, [%r2]; }")
                .LocalBytes,
            116u);
}

TEST(PtxFacts, BlocksThatWaitForEachOther) {
  EXPECT_TRUE(factsOf(".entry k() { mov.u32 %r1, %envreg2; }").IsCooperative);
  EXPECT_TRUE(
      factsOf(".entry k() .reqnctapercluster 1, 2, 1 { ret; }").IsCooperative);
  EXPECT_FALSE(
      factsOf(".entry k() .reqnctapercluster 1, 1, 1 { ret; }").IsCooperative);
  EXPECT_TRUE(factsOf(".entry k() { barrier.cluster.arrive; }").IsCooperative);
  EXPECT_FALSE(
      factsOf(".entry k() { bar.sync 0; ld.global.f32 %f1, [clusters]; }")
          .IsCooperative);
}

TEST(PtxFacts, WhatIsNotUnderstoodIsNoted) {
  EXPECT_FALSE(factsOf(".entry k() .maxntid 64 { ret; }").HasUnclearPtx);
  EXPECT_TRUE(factsOf(".entry k() .maxntid (64) { ret; }").HasUnclearPtx);
  EXPECT_TRUE(factsOf(".entry k() { ld .b32 %r1, [%rd1]; }").HasUnclearPtx);
}

TEST(PtxFacts, QuotientsOfOtherBlocksCannotBeStated) {
  PtxFacts Facts =
      factsOf(".entry k() { mul.f32 %f1, %f2, %f2; div.full.f32 %f3, %f2, %f1; "
              "@%p1 bra L; L: add.f32 %f4, %f3, %f1; ret; }");
  EXPECT_TRUE(Facts.HasUnstatedProducts);
  EXPECT_TRUE(Facts.RoundedApart.empty());
}

TEST(PtxFacts, WhatForbidsOtherBuilds) {
  EXPECT_TRUE(factsOf(".entry k() { setmaxnreg.inc.sync.aligned.u32 96; }")
                  .HasSetMaxNReg);
  EXPECT_TRUE(
      factsOf(".entry k() { wgmma.fence.sync.aligned; }").HasAsyncRegisters);
  EXPECT_TRUE(
      factsOf(".entry k() { mov.u32 %r1, %total_smem_size; }").ReadsTotalSize);
  EXPECT_TRUE(factsOf(".target sm_90, debug\n.entry k() { }").IsForDebugger);
  EXPECT_TRUE(factsOf(".entry k() { .pragma \"enable_smem_spilling\"; ret; }")
                  .AsksForSmemSpilling);
}

} // namespace
