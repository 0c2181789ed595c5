//===- WideProductsTest.cpp - 64-bit products of 32-bit words -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/WideProducts.h"

#include "IRText.h"
#include "regdem/Transform/ArrayChecker.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

/// Whether the product %m that Body makes of words in memory is one of words
/// afterwards; it has to be the same.
bool widens(StringRef Body) {
  LLVMContext Context;
  auto M = parseModule("define void @f(ptr %p, ptr %q, ptr %r) {\n"
                       "%x = load i64, ptr %p\n"
                       "%y = load i64, ptr %q\n"
                       "%n = load i32, ptr %r\n" +
                           Body.str() + "\nstore i64 %m, ptr %p\nret void\n}\n",
                       Context);
  Function &F = *M->getFunction("f");
  ValueToValueMapTy Map;
  Function *Before = CloneFunction(&F, Map);
  bool Expected = hasWideProducts(F);
  bool Changed = widenProducts(F);
  EXPECT_EQ(Changed, Expected);
  EXPECT_FALSE(verifyFunction(F, &errs()));
  EXPECT_FALSE(hasWideProducts(F));
  EXPECT_EQ(toString(checkArrays(*Before, F, {})), "") << Body.str();
  return Changed;
}

TEST(WideProducts, TakesHalvesOfPairs) {
  EXPECT_TRUE(widens("%u = lshr i64 %x, 32\n"
                     "%m = mul nuw i64 %u, 3528531795"));
  EXPECT_TRUE(widens("%l = and i64 %x, 4294967295\n"
                     "%n.e = zext i32 %n to i64\n"
                     "%m = mul i64 %n.e, %l"));
  EXPECT_TRUE(widens("%u = lshr i64 %x, 32\n"
                     "%l = and i64 %y, 65535\n"
                     "%w = xor i64 %u, %l\n"
                     "%m = mul i64 %w, %w"));
}

// Below 2^32 as nothing wraps: values for which it would say nothing.
TEST(WideProducts, TakesWhatIsKnownByFlags) {
  EXPECT_TRUE(widens("%n.e = zext i32 %n to i64\n"
                     "%l = and i64 %y, 15\n"
                     "%d = sub nuw i64 %n.e, %l\n"
                     "%m = mul i64 %d, 3528531795"));
}

TEST(WideProducts, LeavesOthers) {
  EXPECT_FALSE(widens("%u = lshr i64 %x, 31\n"
                      "%m = mul i64 %u, 3"));
  EXPECT_FALSE(widens("%u = lshr i64 %x, 32\n"
                      "%m = mul i64 %u, %y"));
  EXPECT_FALSE(widens("%u = lshr i64 %x, 32\n"
                      "%m = mul i64 %u, -3"));
  EXPECT_FALSE(widens("%n.s = sext i32 %n to i64\n"
                      "%m = mul i64 %n.s, %n.s"));
  EXPECT_FALSE(widens("%l = and i32 %n, 65535\n"
                      "%w = mul i32 %l, %l\n"
                      "%m = zext i32 %w to i64"));
}

TEST(WideProducts, LeavesWhatSelectionSees) {
  EXPECT_FALSE(widens("%n.e = zext i32 %n to i64\n"
                      "%m = mul i64 %n.e, 3528531795"));
}

} // namespace
