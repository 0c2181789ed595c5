//===- ProductDistanceTest.cpp - products far from their sums -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/ProductDistance.h"

#include "MachineText.h"
#include "gtest/gtest.h"

using namespace regdem;
using namespace regdem::test;

namespace {

/// Whether a function has a distant product whose first block computes First
/// and whose second computes Second, of %0 and %1.
bool isDistant(const std::string &First, const std::string &Second) {
  std::string Text = "---\nname: f\ntracksRegLiveness: true\nbody: |\n"
                     "  bb.0:\n    %0:b32 = IMPLICIT_DEF\n"
                     "    %1:b32 = IMPLICIT_DEF\n" +
                     First + "\n    GOTO %bb.1\n  bb.1:\n" + Second +
                     "\n    Return\n...\n";
  MachineText Code(Text);
  return Code && hasDistantProduct(Code.function("f"), nvptxOpcodes());
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

TEST(ProductDistance, RoundedOperationsAreNeverFused) {
  EXPECT_FALSE(isDistant("    %2:b32 = FMUL_rnf32rr %0, %1, 0\n", Sum));
  EXPECT_FALSE(isDistant(Product, "    %3:b32 = FADD_rnf32rr %2, %1, 0\n"));
}

TEST(ProductDistance, OtherReadersDoNotMatter) {
  EXPECT_FALSE(isDistant(Product, "    %3:b32 = FMULf32rr %2, %2, 0\n"));
  EXPECT_FALSE(isDistant(Product, "    %3:b32 = FNEGf32 %2, 0\n"));
}

} // namespace
