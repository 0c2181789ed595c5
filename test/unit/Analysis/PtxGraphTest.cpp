//===- PtxGraphTest.cpp - a kernel's PTX with its graph -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/PtxGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

struct Subject {
  PtxGraph G;

  explicit Subject(StringRef Body) : G(cantFail(readPtxGraph(Body))) {}

  ValueId idOf(StringRef Name) const {
    const auto *At = find_if(ArrayRef(G.Registers), [&](const PtxRegister &R) {
      return R.Name == Name;
    });
    return static_cast<ValueId>(At - G.Registers.data());
  }
  ValueKind kindOf(StringRef Name) const {
    return G.Graph.Values[idOf(Name)].Kind;
  }
  bool reads(InstId I, StringRef Name) const {
    return is_contained(G.Graph.uses(I), idOf(Name));
  }
  bool writes(InstId I, StringRef Name) const {
    return is_contained(G.Graph.defs(I), idOf(Name));
  }
  bool isLiveInto(BlockId B, StringRef Name) const {
    return is_contained(G.Graph.Blocks[B].LiveIn, idOf(Name));
  }
};

std::string problemOf(StringRef Body) {
  auto Read = readPtxGraph(Body);
  return Read ? "" : toString(Read.takeError());
}

TEST(PtxGraph, FirstOperandIsWritten) {
  Subject S(R"(
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<4>;
    ld.global.v2.b32 {%r1, %r2}, [%rd1];
    setp.lt.s32 %p1|%p2, %r1, %r2;
    st.global.b32 [%rd1], %r1;
    atom.global.add.u32 %r3, [%rd1], %r2;
    mov.b64 {%r4, _}, %rd1;
    bar.sync 0, %r4;
    bar.red.popc.u32 %r5, 0, %p1;
    red.global.add.u32 [%rd1], %r5;
    ret;
  )");
  EXPECT_TRUE(S.writes(0, "%r1") && S.writes(0, "%r2") && S.reads(0, "%rd1"));
  EXPECT_TRUE(S.writes(1, "%p1") && S.writes(1, "%p2") && S.reads(1, "%r2"));
  EXPECT_TRUE(S.G.Graph.defs(2).empty() && S.reads(2, "%rd1"));
  EXPECT_TRUE(S.writes(3, "%r3") && S.reads(3, "%r2"));
  EXPECT_TRUE(S.writes(4, "%r4"));
  EXPECT_TRUE(S.G.Graph.defs(5).empty() && S.reads(5, "%r4"));
  EXPECT_TRUE(S.writes(6, "%r5") && S.reads(6, "%p1"));
  EXPECT_TRUE(S.G.Graph.defs(7).empty() && S.reads(7, "%r5"));
}

TEST(PtxGraph, GuardMayLeaveWhatWasThere) {
  Subject S(R"(
    .reg .pred %p<2>; .reg .b32 %r<3>;
    @!%p1 mov.b32 %r1, %r2;
    ret;
  )");
  EXPECT_TRUE(S.reads(0, "%p1") && S.reads(0, "%r1") && S.writes(0, "%r1"));
}

TEST(PtxGraph, CallWritesWhatItReturnsInto) {
  Subject S(R"(
    .reg .b32 %r<4>;
    call (%r1), f, (%r2, %r3);
    call.uni g, (%r1);
    ret;
  )");
  EXPECT_TRUE(S.writes(0, "%r1") && S.reads(0, "%r2") && !S.reads(0, "%r1"));
  EXPECT_TRUE(S.G.Graph.defs(1).empty() && S.reads(1, "%r1"));
}

TEST(PtxGraph, UnknownInstructionsAreRefused) {
  EXPECT_EQ(problemOf(".reg .b32 %r<2>; wgmma.mma_async %r1, %r1; ret;"),
            "'wgmma.mma_async' is not known");
  EXPECT_EQ(problemOf(".reg .b32 %r<2>; { .reg .b32 %r1; } ret;"),
            "'%r1' is declared twice");
  EXPECT_EQ(problemOf("{ .reg .b32 %r1; } .reg .b32 %r<2>; ret;"),
            "'%r' is declared twice");
  EXPECT_EQ(problemOf("{ $L1: bra $L1; }"), "where control goes is not known");
}

TEST(PtxGraph, NamesInBracesAreOtherRegisters) {
  Subject S(R"(
    .reg .b32 %r<3>;
    { .reg .b32 t; mov.b32 t, %r1; mov.b32 %r2, t; }
    { .reg .b32 t; mov.b32 t, %r2; }
    ret;
  )");
  EXPECT_EQ(S.G.Registers.size(), 4u);
  EXPECT_EQ(S.kindOf("t"), ValueKind::NoLoad);
  EXPECT_NE(S.G.Graph.defs(0).front(), S.G.Graph.defs(2).front());
}

TEST(PtxGraph, KindsAreTold) {
  Subject S(R"(
    .reg .pred %p<2>; .reg .b16 %rs<2>; .reg .b32 %r<9>; .reg .f32 %f<9>;
    .reg .b64 %rd<4>; .reg .b128 %rq<2>;
    ld.param.u64 %rd1, [k_param_0];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, 7;
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %laneid;
    ld.global.b32 %r4, [%rd2];
    { .param .b32 ret0; call (ret0), f, (); ld.param.b32 %r5, [ret0]; }
    ld.global.b128 %rq1, [%rd2];
    mul.f32 %f1, %f7, %f7;
    neg.f32 %f2, %f1;
    add.f32 %f3, %f2, %f7;
    mul.f32 %f4, %f7, %f7;
    min.f32 %f5, %f4, %f7;
    ret;
  )");
  for (StringRef Name : {"%rd1", "%rd2", "%r1"})
    EXPECT_EQ(S.kindOf(Name), ValueKind::Free) << Name.str();
  for (StringRef Name : {"%r2", "%r3", "%r4", "%r5", "%f3", "%f4"})
    EXPECT_EQ(S.kindOf(Name), ValueKind::Demotable) << Name.str();
  EXPECT_TRUE(S.G.Graph.isRecomputed(S.idOf("%r2")));
  EXPECT_FALSE(S.G.Graph.isRecomputed(S.idOf("%r3")));
  EXPECT_FALSE(S.G.Graph.isRecomputed(S.idOf("%rs1")));
  EXPECT_EQ(S.kindOf("%f1"), ValueKind::Product);
  EXPECT_EQ(S.kindOf("%f2"), ValueKind::Product);
  EXPECT_EQ(S.kindOf("%rq1"), ValueKind::NoLoad);
  EXPECT_EQ(S.G.Graph.words(S.idOf("%rq1")), 4u);
}

TEST(PtxGraph, ProductsThatAreScaledStayTogether) {
  Subject S(R"(
    .reg .f32 %f<9>;
    mul.f32 %f1, %f7, %f7;
    mul.f32 %f2, %f1, 0f3F000000;
    mul.rn.f32 %f3, %f7, %f7;
    mul.f32 %f4, %f3, 0f40000000;
    div.full.f32 %f5, %f4, %f7;
    add.f32 %f6, %f5, %f7;
    ret;
  )");
  for (StringRef Name : {"%f1", "%f3", "%f4", "%f5"})
    EXPECT_EQ(S.kindOf(Name), ValueKind::Product) << Name.str();
  for (StringRef Name : {"%f2", "%f6"})
    EXPECT_EQ(S.kindOf(Name), ValueKind::Demotable) << Name.str();
}

TEST(PtxGraph, LoopsAndLiveValuesAreFound) {
  Subject S(R"(
    .reg .pred %p<2>; .reg .b32 %r<9>;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %laneid;
  $L1:
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p1, %r1, 100;
    @%p1 bra $L1;
    add.s32 %r3, %r1, %r2;
    ret;
  )");
  ASSERT_EQ(S.G.Graph.Blocks.size(), 4u); // The last one is empty.
  EXPECT_TRUE(S.isLiveInto(1, "%r1") && S.isLiveInto(1, "%r2"));
  EXPECT_TRUE(S.isLiveInto(2, "%r2") && !S.isLiveInto(2, "%p1"));
  ASSERT_EQ(S.G.Graph.Loops.size(), 1u);
  EXPECT_EQ(S.G.Graph.Loops[0].Header, 1u);
  EXPECT_EQ(S.G.Graph.Blocks[2].Loop, NoLoop);
  EXPECT_GT(S.G.Graph.Blocks[1].Frequency, 8 * S.G.Graph.Blocks[0].Frequency);
  EXPECT_EQ(S.G.Graph.Blocks[1].FirstTerminator, 4u);
}

} // namespace
