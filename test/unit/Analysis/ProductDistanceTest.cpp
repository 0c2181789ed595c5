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

/// Says of a function that it is fixed, or that it is not.
bool areFixed(const llvm::Function &) { return true; }
bool areOpen(const llvm::Function &) { return false; }

/// What defines %2 and %3 in such a function, where First and Second are in one
/// block, once modifiers are left off.
std::pair<std::string, std::string>
plain(const std::string &First, const std::string &Second,
      bool (*Callees)(const llvm::Function &)) {
  MachineText Code("--- |\n  define void @f() {\n    ret void\n  }\n"
                   "  declare void @g()\n...\n" +
                   textOf(First + Second, ""));
  if (!Code)
    return {};
  llvm::MachineFunction &MF = Code.function("f");
  EXPECT_TRUE(leavePlain(MF, nvptxOpcodes(), Callees));
  auto NameOf = [&](unsigned Reg) {
    const llvm::MachineInstr *Def =
        MF.getRegInfo().getVRegDef(llvm::Register::index2VirtReg(Reg));
    return MF.getSubtarget().getInstrInfo()->getName(Def->getOpcode()).str();
  };
  return {NameOf(2), NameOf(3)};
}

constexpr const char *RoundedProduct = "    %2:b32 = FMUL_rnf32rr %0, %1, 0\n";
constexpr const char *RoundedSum = "    %3:b32 = FADD_rnf32rr %2, %1, 0\n";

TEST(LeftPlain, AreSumsWhereAllProductsAreRounded) {
  EXPECT_EQ(plain(RoundedProduct, RoundedSum, areOpen),
            std::pair(std::string("FMUL_rnf32rr"), std::string("FADDf32rr")));
}

TEST(LeftPlain, AreNoSumsWhereAProductCouldBeFused) {
  EXPECT_EQ(plain(Product, RoundedSum, areOpen).second, "FADD_rnf32rr");
}

TEST(LeftPlain, AreProductsThatNoSumReads) {
  const char *Reader = "    %3:b32 = FMUL_rnf32rr %2, %2, 0\n";
  EXPECT_EQ(plain(RoundedProduct, Reader, areOpen).first, "FMULf32rr");
  const char *Fused = "    %3:b32 = FMA_F32rrr %2, %0, %2, 0\n";
  EXPECT_EQ(plain(RoundedProduct, Fused, areOpen).first, "FMULf32rr");
}

TEST(LeftPlain, AreNoProductsThatASumMayRead) {
  for (const char *Reader :
       {"    %3:b32 = FNEGf32 %2, 0\n", "    %3:b32 = COPY %2\n",
        "    %3:b32 = FMUL_rnf32ri %2, float 5.000000e-01, 0\n"})
    EXPECT_EQ(plain(RoundedProduct, Reader, areOpen).first, "FMUL_rnf32rr")
        << Reader;
}

TEST(LeftPlain, IsWhatCallsOfFixedFunctionsGive) {
  const std::string Sum = std::string(RoundedSum) + "    CALL_UNI @g, 0, 0\n";
  EXPECT_EQ(plain(RoundedProduct, Sum, areOpen).second, "FADD_rnf32rr");
  EXPECT_EQ(plain(RoundedProduct, Sum, areFixed).second, "FADDf32rr");
}

constexpr const char *Marked = "    %2:b32 = contract FMUL_rnf32rr %0, %1, 0\n";
constexpr const char *Halved =
    "    %3:b32 = FMUL_rnf32ri %2, float 5.000000e-01, 0\n";

/// Whether ptxas scales all that is marked in such a function, where First and
/// Second are in one block or two, and whether it decides something about it.
std::pair<bool, bool> leftOf(const std::string &First,
                             const std::string &Second, bool InOneBlock) {
  MachineText Code(InOneBlock ? textOf(First + Second, "")
                              : textOf(First, Second));
  if (!Code)
    return {false, true};
  llvm::MachineFunction &MF = Code.function("f");
  bool Are = leavePlain(MF, nvptxOpcodes(), areOpen);
  return {Are, hasContractibleFMul(MF, nvptxOpcodes(), /*IsFixed=*/true)};
}

TEST(ScaledProducts, AreLeftToPtxas) {
  EXPECT_EQ(leftOf(Marked, Halved, true), std::pair(true, false));
}

TEST(ScaledProducts, KeepTheirModifierUnlessTheyAreMarked) {
  EXPECT_EQ(leftOf(RoundedProduct, Halved, true), std::pair(true, false));
}

// Whether ptxas scales it then is not known.
TEST(ScaledProducts, AreOpenWhereTheyHaveComeApart) {
  EXPECT_EQ(leftOf(Marked, Halved, false), std::pair(false, true));
  const char *Again = "    %4:b32 = FMUL_rnf32rr %2, %2, 0\n";
  EXPECT_EQ(leftOf(Marked, std::string(Halved) + Again, true),
            std::pair(false, true));
}

} // namespace
