//===- PtxCodeTest.cpp - control flow and products of PTX -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/PtxCode.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

bool isIrreducible(StringRef Body) {
  return hasIrreducibleFlow(readPtxCode(Body));
}
bool crosses(StringRef Body) {
  return !openProducts(readPtxCode(Body)).empty();
}

/// crosses() of Product, which writes %f1, and a sum with that in another
/// block.
bool meetsSum(StringRef Product) {
  return crosses(
      (Product + " @%p1 bra $L1; $L1: add.f32 %f4, %f1, %f5;").str());
}

TEST(PtxCode, InstructionsAreRead) {
  PtxCode Code = readPtxCode(R"(
    .reg .f32 %f<4>;
    .loc 1 3 4
    @!%p1 mul.ftz.f32 %f1, %f2, %f3;
    { .param .b32 p0; st.param.f32 [p0+0], %f1; }
    ld.global.v2.f32 {%f1, %f2}, [%rd1];
  )");
  ASSERT_EQ(Code.Instructions.size(), 3u);
  EXPECT_TRUE(Code.Instructions[0].isGuarded());
  EXPECT_EQ(Code.Instructions[0].Opcode, "mul.ftz.f32");
  EXPECT_TRUE(Code.Instructions[0].has(".ftz"));
  EXPECT_FALSE(Code.Instructions[0].has(".f3"));
  EXPECT_EQ(Code.Instructions[2].Operands, "{%f1, %f2}, [%rd1]");
  EXPECT_EQ(Code.Successors.size(), 1u);
}

TEST(PtxCode, PragmaIsAboutItsBlock) {
  PtxCode Code = readPtxCode(R"(
    .pragma "used_bytes_mask 1";
    ld.global.b32 %r1, [%rd1];
    .pragma "nounroll";
  $L1:
    ret;
  )");
  ASSERT_EQ(Code.Instructions.size(), 2u);
  EXPECT_TRUE(Code.Instructions[0].Statement.starts_with(".pragma"));
  EXPECT_EQ(Code.Instructions[1].Statement, "ret");
}

TEST(PtxCode, PragmasOfAnInstructionStayTogether) {
  PtxCode Code =
      readPtxCode(".pragma \"nounroll\"; .pragma \"used_bytes_mask 1\";"
                  "ld.global.b32 %r1, [%rd1]; ret;");
  EXPECT_TRUE(
      Code.Instructions[0].Statement.starts_with(".pragma \"nounroll\""));
}

TEST(PtxCode, NothingFollowsABranchButByALabel) {
  PtxCode Code = readPtxCode("@%p1 bra Else; add.s32 %r1, %r1, 1; bra.uni End;"
                             "Else: add.s32 %r1, %r1, 2; End: ret;");
  std::vector<SmallVector<unsigned, 2>> Expected = {{1, 3}, {4}, {}, {4}, {}};
  Expected.emplace_back(); // Behind the last statement.
  EXPECT_EQ(Code.Successors, Expected);
}

TEST(PtxCode, CodeThatIsNotReachedLeadsNowhere) {
  PtxCode Code = readPtxCode("L: @%p1 bra L; exit; bra L;");
  std::vector<SmallVector<unsigned, 2>> Expected = {{1}, {2, 1}, {}, {}, {}};
  EXPECT_EQ(Code.Successors, Expected);
}

TEST(PtxCode, LoopWithOneEntryIsReducible) {
  EXPECT_FALSE(isIrreducible(R"(
    @%p1 bra $L3;
  $L2:
    add.s32 %r1, %r1, 1;
    @%p2 bra.uni $L2;
  $L3: ret;
  )"));
}

TEST(PtxCode, LoopWithTwoEntriesIsNot) {
  EXPECT_TRUE(isIrreducible(R"(
    @%p1 bra $L3;
  $L2:
    add.s32 %r1, %r1, 1;
  $L3:
    @%p2 bra $L2;
    ret;
  )"));
}

TEST(PtxCode, TablesLeadToTheirTargets) {
  constexpr const char *Body = R"(
  $L1:
    @%p1 bra $L2;
    ret;
  $L2:
  $brx_0: .branchtargets $L3, $L4;
    brx.idx %r1, $brx_0;
  $L3: bra $L1;
  $L4: ret;
  )";
  EXPECT_FALSE(isIrreducible(Body));
  EXPECT_TRUE(isIrreducible("brx.idx %r1, unknown;"));
  EXPECT_TRUE(isIrreducible("bra nowhere;"));
}

TEST(PtxCode, ProductNextToItsSumStays) {
  EXPECT_FALSE(crosses("mul.f32 %f1, %f2, %f3; add.f32 %f4, %f1, %f5;"));
  EXPECT_FALSE(crosses(
      "mul.f32 %f1, %f2, %f3; neg.f32 %f6, %f1; add.f32 %f4, %f6, %f5;"));
}

TEST(PtxCode, ProductMayMeetSumOfAnotherBlock) {
  constexpr const char *Start = "mul.f32 %f1, %f2, %f3; @%p1 bra $L1; $L1: ";
  EXPECT_TRUE(crosses(std::string(Start) + "add.f32 %f4, %f1, %f5;"));
  EXPECT_TRUE(crosses(std::string(Start) + "mov.f32 %f4, %f1;"));
  EXPECT_FALSE(crosses(std::string(Start) + "mul.f32 %f4, %f1, %f5;"));
  EXPECT_FALSE(crosses(std::string(Start) + "st.global.f32 [%rd1], %f1;"));
}

TEST(PtxCode, RoundedProductStaysRounded) {
  EXPECT_FALSE(meetsSum("mul.rn.f32 %f1, %f2, %f3;"));
  EXPECT_FALSE(crosses("mul.lo.s32 %r1, %r2, %r3; @%p1 bra $L1; $L1: "
                       "add.s32 %r4, %r1, %r5;"));
}

TEST(PtxCode, ProductMayMeetSumOfTheNextIteration) {
  EXPECT_TRUE(crosses("$L1: add.f32 %f4, %f1, %f5; mul.f32 %f1, %f2, %f3; "
                      "@%p1 bra $L1;"));
  EXPECT_TRUE(crosses("mov.f32 %f1, 0f00000000; $L1: add.f32 %f4, %f1, %f5; "
                      "mul.f32 %f6, %f2, %f3; mov.f32 %f1, %f6; "
                      "@%p1 bra $L1;"));
}

TEST(PtxCode, ApproximateQuotientsEndInProducts) {
  for (StringRef Quotient :
       {"div.approx.f32 %f1, %f2, %f3;", "div.approx.ftz.f32 %f1, %f2, %f3;",
        "div.full.f32 %f1, %f2, %f3;", "rcp.approx.f32 %f1, %f2;"})
    EXPECT_TRUE(meetsSum(Quotient)) << Quotient.str();
  for (StringRef Other :
       {"div.rn.f32 %f1, %f2, %f3;", "rcp.approx.ftz.f32 %f1, %f2;",
        "sqrt.approx.f32 %f1, %f2;", "div.s32 %f1, %f2, %f3;"})
    EXPECT_FALSE(meetsSum(Other)) << Other.str();
}

// What ptxas 13.0 makes of pairs on sm_100.
TEST(PtxCode, PairsAreFusedWhateverTheirRounding) {
  for (StringRef Rounding : {"", ".rn", ".ftz", ".rz.ftz"})
    EXPECT_TRUE(crosses(("mul" + Rounding +
                         ".f32x2 %rd1, %rd2, %rd3; @%p1 bra $L1; $L1: add.rn."
                         "f32x2 %rd4, %rd1, %rd5;")
                            .str()))
        << Rounding.str();
  EXPECT_TRUE(crosses("mul.rn.f32x2 %rd1, %rd2, %rd3; @%p1 bra $L1; "
                      "$L1: fma.rn.f32x2 %rd4, %rd1, %rd6, %rd5;"));
  EXPECT_FALSE(meetsSum("mul.rn.f32 %f1, %f2, %f3;"));
}

TEST(PtxCode, ProductsAreHandedOn) {
  auto IsFusible = [](StringRef Product, StringRef Between, StringRef Sum) {
    std::string Text = (Product + Between + Sum).str();
    return is_contained(fusibleProducts(readPtxCode(Text)), "%p");
  };
  StringRef Double = "mul.f64 %p, %d1, %d2;", Single = "mul.f32 %p, %f1, %f2;";
  for (StringRef Between :
       {"mul.f64 %q, %p, 0d3FF0000000000000;", "max.f64 %q, %p, %p;",
        "cvt.f64.f64 %q, %p;", "mov.b64 %q, %p;"})
    EXPECT_TRUE(IsFusible(Double, Between, "add.f64 %d3, %q, %d4;"))
        << Between.str();
  EXPECT_TRUE(IsFusible(Single, "st.local.f32 [%rd1], %p;", ""));
  EXPECT_TRUE(IsFusible(Single, "", "div.rn.f32 %f3, %p, 0f40000000;"));
  EXPECT_FALSE(
      IsFusible(Single, "mul.rn.s32 %q, %r1, %r2;", "add.f32 %f3, %q, %f4;"));
  EXPECT_FALSE(IsFusible(Single, "st.global.f32 [%rd1], %p;", ""));
}

TEST(PtxCode, ConstantsAreWhatPtxasMayKnow) {
  auto Find = [](StringRef Body) { return findConstants(readPtxCode(Body)); };
  // 1 and -1 by turns, and a counter.
  const std::string Loop = R"(
    mov.f32 %f1, 0f3F800000; mov.u32 %r1, 0; mov.u32 %r2, %tid.x;
    $L1:
    neg.f32 %f1, %f1; add.s32 %r1, %r1, 1; add.s32 %r3, %r1, %r2;
    cvt.rn.f32.s32 %f2, %r1; mov.b32 %o1, 0f3F800000; mov.b64 %one, {%o1,%o1};
  )";
  const std::string End = "setp.ne.s32 %p1, %r1, 8; @%p1 bra $L1; ret;";
  PtxConstants Known = Find(Loop + End);
  llvm::sort(Known.Registers);
  EXPECT_EQ(Known.Registers, (std::vector<std::string>{"%o1", "%one"}));
  EXPECT_FALSE(Known.MayBeFolded);
  for (StringRef Use :
       {"mul.f32 %f3, %f9, %f1;", "fma.rn.f32 %f3, %f9, %f2, %f8;",
        "ex2.approx.f32 %f3, %f2;", "div.full.f32 %f3, %f9, %f2;"})
    EXPECT_TRUE(Find(Loop + Use.str() + End).MayBeFolded) << Use.str();
  for (StringRef Use :
       {"add.f32 %f3, %f9, %f2;", "ex2.approx.f32 %f3, %f9;",
        "mul.f32 %f3, %f9, 0f40000000;", "mul.lo.s32 %r4, %r1, %r2;"})
    EXPECT_FALSE(Find(Loop + Use.str() + End).MayBeFolded) << Use.str();
  // What memory, a guard or a special register has a part in is not known.
  EXPECT_TRUE(Find("ld.global.u32 %r1, [%rd1]; mov.u32 %r2, %ctaid.x; "
                   "@%p1 mov.u32 %r3, 5; add.s32 %r4, %r1, 1;")
                  .Registers.empty());
}

TEST(PtxCode, RegistersHaveAnyNames) {
  EXPECT_TRUE(
      meetsSum("{ .reg .f32 t; mul.f32 t, %f2, %f3; mov.f32 %f1, t; }"));
  EXPECT_TRUE(
      crosses("mul.f32 f1, f2, f3; @p1 bra $L1; $L1: add.f32 f4, f1, f5;"));
}

TEST(PtxCode, OpcodesEndWhereOperandsBegin) {
  PtxCode Code = readPtxCode("@%p1 ld.global.v2.f32{%f1,%f2},[%rd1];");
  ASSERT_EQ(Code.Instructions.size(), 1u);
  EXPECT_EQ(Code.Instructions[0].Opcode, "ld.global.v2.f32");
  EXPECT_EQ(Code.Instructions[0].Operands, "{%f1,%f2},[%rd1]");
  EXPECT_FALSE(Code.IsUnclear);
  for (StringRef Odd :
       {"ld .global .f32 %f1, [%rd1];", "@ %p1 bra $L1; $L1: ret;"})
    EXPECT_TRUE(readPtxCode(Odd).IsUnclear) << Odd.str();
}

TEST(PtxCode, InstructionsMayFollowTheirLocation) {
  PtxCode Code = readPtxCode(R"(
    .local .align 16 .b8 __local_depot0[32];
    .loc 1 3 2 @%p2 mov.f32 %f1, %f2;
    .loc 1 12 3, function_name $L__info1+16, inlined_at 1 40 5 mov.f32 %f3, %f1;
    .loc 1 5 0
    ret;)");
  ASSERT_EQ(Code.Instructions.size(), 3u);
  EXPECT_EQ(Code.Instructions[0].Guard, "%p2");
  EXPECT_EQ(Code.Instructions[1].Operands, "%f3, %f1");
}

TEST(PtxCode, LabelsInBracesAreTheirs) {
  constexpr const char *Wait =
      "{ .reg .pred p; LAB_WAIT: mbarrier.try_wait.b64 p, [%rd1], %r1; "
      "@p bra DONE; bra LAB_WAIT; DONE: } ";
  EXPECT_FALSE(isIrreducible(std::string(Wait) + Wait + "ret;"));
}

TEST(PtxCode, ProductOfACallMayMeetAnySum) {
  EXPECT_TRUE(crosses("mul.f32 %f1, %f2, %f3; st.param.f32 [p0], %f1;"));
}

TEST(PtxCode, ProductsMayGoThroughInstructionsOfManyRegisters) {
  EXPECT_TRUE(crosses(R"(
    mul.f32 %f1, %f2, %f3;
    wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32
        {%f10, %f11, %f12, %f13, %f14, %f15, %f16, %f17},
        {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8},
        {%r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16},
        {%f1, %f1, %f1, %f1, %f1, %f1, %f1, %f1};
  $L1:
    add.f32 %f4, %f17, %f5;)"));
}

/// fusedSums() of all the products in Body, one a line.
std::string fused(StringRef Body) {
  PtxCode Code = readPtxCode(Body);
  std::vector<PtxInstruction> Products;
  for (const PtxInstruction &I : Code.Instructions)
    if (I.root() == "mul")
      Products.push_back(I);
  std::string All;
  for (const PtxFusedSum &F : fusedSums(Code, Products))
    All += F.Text + "\n";
  return All;
}

TEST(PtxCode, ProductsThatOnlySumsReadVanish) {
  EXPECT_EQ(fused(R"(
    mul.ftz.f32 %f3, %f1, 0f40000000;
    add.ftz.f32 %f4, %f9, %f3;
    sub.ftz.f32 %f5, %f3, %f9;
    sub.ftz.f32 %f6, %f9, %f3;)"),
            "fma.rn.ftz.f32 %f4, %f1, 0f40000000, %f9\n"
            "{ .reg .f32 %negated; neg.ftz.f32 %negated, %f9; "
            "fma.rn.ftz.f32 %f5, %f1, 0f40000000, %negated; }\n"
            "{ .reg .f32 %negated; neg.ftz.f32 %negated, %f1; "
            "fma.rn.ftz.f32 %f6, %negated, 0f40000000, %f9; }\n");
  // Of two products the first.
  EXPECT_EQ(fused(R"(
    mul.f64 %d3, %d1, %d2;
    mul.f64 %d4, %d1, %d1;
    add.f64 %d5, %d4, %d3;)"),
            "fma.rn.f64 %d5, %d1, %d1, %d3\n");
}

TEST(PtxCode, ProductsThatOthersReadStay) {
  for (StringRef Other :
       {"st.global.f32 [%rd1], %f3;", "mov.f32 %f6, %f3;",
        "@%p1 add.f32 %f6, %f3, %f1;", "add.rz.f32 %f6, %f3, %f1;",
        "mul.f32 %f3, %f1, %f1;"})
    EXPECT_EQ(
        fused(("mul.f32 %f3, %f1, %f2; add.f32 %f5, %f4, %f3;" + Other).str()),
        "")
        << Other.str();
}

} // namespace
