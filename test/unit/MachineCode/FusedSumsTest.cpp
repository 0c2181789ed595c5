//===- FusedSumsTest.cpp - which products machine code fuses --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/FusedSums.h"

#include "SassReader.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// nvdisasm's listing (CUDA 13.0) of what ptxas makes of this PTX, with a line
/// for each statement:
///    1 to 4: ld.global.f32 %r1 to %r4
///    5: mul.f32 %r5, %r1, %r2       6: mul.f32 %r6, %r3, %r4
///    7: add.f32 %r7, %r5, %r6       8: mul.rn.f32 %r8, %r1, %r3
///    9: add.f32 %r9, %r8, %r7      10: mul.f32 %r10, %r2, %r4
///   11: sub.f32 %r11, %r10, %r9
///   12, 13: st.global.f32 of %r10 and %r11
/// It fuses the first product of the first sum alone.
constexpr const char *Listing = R"(
	.target	sm_90
	.elftype	@"ET_EXEC"
//--------------------- .text.k                   --------------------------
	.section	.text.k,"ax",@progbits
	.align	128
        .global         k
        .type           k,@function
        .size           k,(.L_x_2 - k)
        .other          k,@"STO_CUDA_ENTRY STV_DEFAULT"
k:
.text.k:
	//## File "numbers", line 20
        /*0000*/                   LDC R1, c[0x0][0x28] ;             /* 0x00000a00ff017b82 */
                                                                      /* 0x000ff00000000800 */
	//## File "numbers", line 1
        /*0010*/                   LDC.64 R2, c[0x0][0x210] ;         /* 0x00008400ff027b82 */
                                                                      /* 0x000e220000000a00 */
        /*0020*/                   ULDC.64 UR4, c[0x0][0x208] ;       /* 0x0000820000047ab9 */
                                                                      /* 0x000fe40000000a00 */
	//## File "numbers", line 3
        /*0030*/                   LDG.E R7, desc[UR4][R2.64+0x8] ;   /* 0x0000080402077981 */
                                                                      /* 0x001ea8000c1e1900 */
	//## File "numbers", line 4
        /*0040*/                   LDG.E R4, desc[UR4][R2.64+0xc] ;   /* 0x00000c0402047981 */
                                                                      /* 0x000ea8000c1e1900 */
	//## File "numbers", line 1
        /*0050*/                   LDG.E R0, desc[UR4][R2.64] ;       /* 0x0000000402007981 */
                                                                      /* 0x000ee8000c1e1900 */
	//## File "numbers", line 2
        /*0060*/                   LDG.E R5, desc[UR4][R2.64+0x4] ;   /* 0x0000040402057981 */
                                                                      /* 0x000f22000c1e1900 */
	//## File "numbers", line 6
        /*0070*/                   FMUL R9, R7, R4 ;                  /* 0x0000000407097220 */
                                                                      /* 0x004fe20000400000 */
	//## File "numbers", line 8
        /*0080*/                   FMUL R6, R0, R7 ;                  /* 0x0000000700067220 */
                                                                      /* 0x008fc60000400000 */
	//## File "numbers", line 7
        /*0090*/                   FFMA R9, R0, R5, R9 ;              /* 0x0000000500097223 */
                                                                      /* 0x010fe20000000009 */
	//## File "numbers", line 10
        /*00a0*/                   FMUL R5, R5, R4 ;                  /* 0x0000000405057220 */
                                                                      /* 0x000fc60000400000 */
	//## File "numbers", line 9
        /*00b0*/                   FADD R6, R9, R6 ;                  /* 0x0000000609067221 */
                                                                      /* 0x000fe40000000000 */
	//## File "numbers", line 12
        /*00c0*/                   STG.E desc[UR4][R2.64+0x10], R5 ;  /* 0x0000100502007986 */
                                                                      /* 0x000fe4000c101904 */
	//## File "numbers", line 11
        /*00d0*/                   FADD R7, -R6, R5 ;                 /* 0x0000000506077221 */
                                                                      /* 0x000fca0000000100 */
	//## File "numbers", line 13
        /*00e0*/                   STG.E desc[UR4][R2.64+0x14], R7 ;  /* 0x0000140702007986 */
                                                                      /* 0x000fe2000c101904 */
.L_x_1:
	//## File "numbers", line 14
        /*00f0*/                   EXIT ;                             /* 0x000000000000794d */
                                                                      /* 0x000fea0003800000 */
.L_x_0:
        /*0100*/                   BRA `(.L_x_0);                     /* 0xfffffffc00fc7947 */
                                                                      /* 0x000fc0000383ffff */
)";

SassKernel kernelIn(StringRef Text) {
  Expected<SassKernel> K = parseSass(Text, "k");
  EXPECT_TRUE(bool(K));
  return K ? std::move(*K) : SassKernel();
}

NumberedProduct product(unsigned Line, std::vector<unsigned> Operands,
                        bool IsReadOnce = true) {
  return {Line, IsReadOnce, /*IsNear=*/true, std::move(Operands)};
}

/// The sums of that PTX.
std::vector<NumberedSum> sums() {
  return {{7, {product(5, {1, 2}), product(6, {3, 4})}},
          {9, {product(8, {1, 3}), std::nullopt}},
          {11, {product(10, {2, 4}, /*IsReadOnce=*/false), std::nullopt}}};
}

TEST(FusedSums, AreReadFromTheirLines) {
  EXPECT_EQ(readFusing(kernelIn(Listing), sums()), "sums:f..");
}

TEST(FusedSums, TheProductIsKnownByWhatIsMultipliedAndAdded) {
  std::vector<NumberedSum> Sums = sums();
  std::swap(Sums[0].Products[0], Sums[0].Products[1]);
  EXPECT_EQ(readFusing(kernelIn(Listing), Sums), "sums:s..");
  // Equal products are computed once, and have one line.
  Sums[0].Products[0]->Line = 0;
  EXPECT_EQ(readFusing(kernelIn(Listing), Sums), "sums:s..");
}

TEST(FusedSums, OfThoseThatAreNotThereTheUsualIsAssumed) {
  std::vector<NumberedSum> Sums = sums();
  for (NumberedSum &S : Sums)
    S.Line += 100;
  EXPECT_EQ(readFusing(kernelIn(Listing), Sums), "sums:fff");
  Sums[0].Products[0]->IsReadOnce = false;
  EXPECT_EQ(readFusing(kernelIn(Listing), Sums), "sums:sff");
  // One that others read, in another block, is not.
  Sums[2].Products[0]->IsNear = false;
  EXPECT_EQ(readFusing(kernelIn(Listing), Sums), "sums:sf.");
  EXPECT_EQ(usualFusing(Sums), "sums:sf.");
}

TEST(FusedSums, NegationsOfTheirLineAreNone) {
  std::string Text = Listing;
  const std::string Ninth = "line 9\n";
  Text.replace(Text.find(Ninth), Ninth.size(), "line 7\n");
  // Nor is the sum that has lost its line usually fused.
  std::vector<NumberedSum> Sums = sums();
  Sums[1].Products[0] = product(8, {1, 3}, /*IsReadOnce=*/false);
  Sums[1].Products[0]->IsNear = false;
  EXPECT_EQ(readFusing(kernelIn(Text), Sums), "sums:f..");
}

/// Sums of halves may be written as products with one.
TEST(FusedSums, AProductWithOneIsNone) {
  SassKernel K = kernelIn(Listing);
  for (SassBlock &B : K.Blocks)
    for (SassInstruction &I : B.Instructions)
      if (I.base() == "FFMA") {
        I.Opcode = "HFMA2.MMA";
        I.Operands = readOperands(I.Opcode, "R9, R0, 1, 1, R9");
      }
  EXPECT_EQ(readFusing(K, sums()), "sums:...");
}

} // namespace
