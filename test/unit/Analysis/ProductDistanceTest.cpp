//===- ProductDistanceTest.cpp - products far from their sums -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/ProductDistance.h"

#include "MachineText.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "gtest/gtest.h"

using namespace regdem;
using namespace regdem::test;

namespace {

/// A function whose first block computes First and whose second computes
/// Second, of %0 and %1.
std::string textOf(const std::string &First, const std::string &Second) {
  return "---\nname: f\ntracksRegLiveness: true\nbody: |\n"
         "  bb.0:\n    %0:b32 = IMPLICIT_DEF\n"
         "    %1:b32 = IMPLICIT_DEF\n" +
         First + "\n    GOTO %bb.1\n  bb.1:\n" + Second + "\n    Return\n...\n";
}

/// Whether such a function has a distant product.
bool isDistant(const std::string &First, const std::string &Second) {
  MachineText Code(textOf(First, Second));
  return Code && hasCrossBlockFMA(Code.function("f"), nvptxOpcodes());
}

const char *const Product = "    %2:b32 = FMULf32rr %0, %1, 0\n";
const char *const Sum = "    %3:b32 = FADDf32rr %2, %1, 0\n";

TEST(ProductDistance, SumOfAnotherBlockIsDistant) {
  EXPECT_TRUE(isDistant(Product, Sum));
}

TEST(ProductDistance, SumOfTheSameBlockIsNot) {
  EXPECT_FALSE(isDistant(std::string(Product) + Sum, ""));
  EXPECT_FALSE(isDistant("", std::string(Product) + Sum));
}

TEST(ProductDistance, NegationHandsTheProductOn) {
  const char *Negation = "    %4:b32 = FNEGf32 %2, 0\n";
  const char *Difference = "    %5:b32 = FADDf32rr %4, %1, 0\n";
  EXPECT_TRUE(isDistant(std::string(Product) + Negation, Difference));
  EXPECT_TRUE(isDistant(Product, std::string(Negation) + Difference));
  EXPECT_FALSE(isDistant(std::string(Product) + Negation + Difference, ""));
}

TEST(ProductDistance, InlineAssemblyHasProductsAndSums) {
  const char *AsmProduct = "    INLINEASM &\"mul.f32 $0, $1, $1;\", 0, 262154, "
                           "def %2:b32, 262153, %0\n";
  const char *AsmSum = "    INLINEASM &\"add.f32 $0, $1, $1;\", 0, 262154, def "
                       "%3:b32, 262153, %2\n";
  EXPECT_TRUE(isDistant(AsmProduct, Sum));
  EXPECT_TRUE(isDistant(Product, AsmSum));
  EXPECT_FALSE(isDistant(std::string(AsmProduct) + Sum, ""));
}

TEST(ProductDistance, ApproximateQuotientsAreProducts) {
  for (const char *Quotient : {"DIV_APPROX_F32_rr %0, %1, 0",
                               "FDIV32rr %0, %1, 0", "RCP_APPROX_F32_r %0, 0"})
    EXPECT_TRUE(isDistant("    %2:b32 = " + std::string(Quotient) + "\n", Sum))
        << Quotient;
  EXPECT_FALSE(isDistant("    %2:b32 = FDIV32rr_prec %0, %1, 0\n", Sum));
  EXPECT_TRUE(isDistant("    INLINEASM &\"div.full.ftz.f32 $0, $1, $1;\", 0, "
                        "262154, def %2:b32, 262153, %0\n",
                        Sum));
}

TEST(ProductDistance, WiderWordsHandTheProductOn) {
  const char *Pair = "    %4:b64 = V2I32toI64 %0, %2\n";
  const char *Rest = "    %5:b32, %6:b32 = I64toV2I32 %4\n"
                     "    %7:b32 = FADDf32rr %6, %1, 0\n";
  EXPECT_TRUE(isDistant(std::string(Product) + Pair, Rest));
  const char *AsmPair = "    INLINEASM &\"mov.b64 $0, {$1, $1};\", 0, 327690, "
                        "def %4:b64, 262153, %2\n";
  EXPECT_TRUE(isDistant(std::string(Product) + AsmPair, Rest));
}

TEST(ProductDistance, RoundedOperationsAreNeverFused) {
  EXPECT_FALSE(isDistant("    %2:b32 = FMUL_rnf32rr %0, %1, 0\n", Sum));
  EXPECT_FALSE(isDistant(Product, "    %3:b32 = FADD_rnf32rr %2, %1, 0\n"));
}

TEST(ProductDistance, OtherReadersDoNotMatter) {
  EXPECT_FALSE(isDistant(Product, "    %3:b32 = FMULf32rr %2, %2, 0\n"));
  EXPECT_FALSE(isDistant(Product, "    %3:b32 = FNEGf32 %2, 0\n"));
}

/// The opcode of the last sum once sums are left plain.
std::string plainSum(const std::string &First, const std::string &Second) {
  MachineText Code(textOf(First, Second));
  if (!Code)
    return "";
  llvm::MachineFunction &MF = Code.function("f");
  bool Changed = leavePlainSums(MF, nvptxOpcodes());
  const llvm::MachineInstr *Def =
      MF.getRegInfo().getVRegDef(llvm::Register::index2VirtReg(3));
  std::string Name =
      MF.getSubtarget().getInstrInfo()->getName(Def->getOpcode()).str();
  EXPECT_EQ(Changed, Name.find("_rn") == std::string::npos);
  return Name;
}

constexpr const char *RoundedSum = "    %3:b32 = FADD_rnf32rr %2, %1, 0\n";

TEST(PlainSums, AreLeftWhereAllProductsAreRounded) {
  EXPECT_EQ(plainSum("    %2:b32 = FMUL_rnf32rr %0, %1, 0\n", RoundedSum),
            "FADDf32rr");
}

TEST(PlainSums, AreNotWhereAProductCouldBeFused) {
  EXPECT_EQ(plainSum(Product, RoundedSum), "FADD_rnf32rr");
}

} // namespace
