//===- WideProductsTest.cpp - 64-bit products of 32-bit words -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/WideProducts.h"

#include "IRText.h"
#include "ValueChecker.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

class WideProducts : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;

  Function &parse(StringRef Body) {
    M = parseAddressCode(Body, Context);
    return *M->getFunction("f");
  }
  Value *named(StringRef Name) {
    return M->getFunction("f")->getValueSymbolTable()->lookup(Name);
  }

  /// Whether Body's product is one of words afterwards.
  bool widens(StringRef Body) {
    Function &F = parse(Body);
    bool Expected = hasWideProducts(F);
    std::vector<std::pair<Use *, Value *>> Factors;
    for (Instruction &I : instructions(F))
      if (I.getOpcode() == Instruction::Mul)
        for (Use &Factor : I.operands())
          Factors.emplace_back(&Factor, Factor.get());
    bool Changed = widenProducts(F);
    EXPECT_EQ(Changed, Expected);
    EXPECT_FALSE(verifyFunction(F, &errs()));
    EXPECT_FALSE(hasWideProducts(F));
    for (auto [Factor, Was] : Factors)
      EXPECT_TRUE(Was->getType()->isIntegerTy(32) || areSame(Was, *Factor));
    return Changed;
  }

  bool areSame(Value *Old, Value *New) {
    ValueChecker Checker(M->getDataLayout());
    Checker.startBlock();
    Error E = Checker.compare(Old, New);
    bool Same = !E;
    consumeError(std::move(E));
    return Same;
  }
};

TEST_F(WideProducts, TakesHalvesOfPairs) {
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
TEST_F(WideProducts, TakesWhatIsKnownByFlags) {
  EXPECT_TRUE(widens("%n.e = zext i32 %n to i64\n"
                     "%d = sub nuw i64 %n.e, %y\n"
                     "%m = mul i64 %d, 3528531795"));
}

TEST_F(WideProducts, LeavesOthers) {
  EXPECT_FALSE(widens("%u = lshr i64 %x, 31\n"
                      "%m = mul i64 %u, 3"));
  EXPECT_FALSE(widens("%u = lshr i64 %x, 32\n"
                      "%m = mul i64 %u, %y"));
  EXPECT_FALSE(widens("%u = lshr i64 %x, 32\n"
                      "%m = mul i64 %u, -3"));
  EXPECT_FALSE(widens("%n.s = sext i32 %n to i64\n"
                      "%m = mul i64 %n.s, %n.s"));
  EXPECT_FALSE(widens("%l = and i32 %n, 65535\n"
                      "%m = mul i32 %l, %l"));
}

TEST_F(WideProducts, LeavesWhatSelectionSees) {
  EXPECT_FALSE(widens("%n.e = zext i32 %n to i64\n"
                      "%m = mul i64 %n.e, 3528531795"));
}

TEST_F(WideProducts, CheckerTellsFactorsApart) {
  parse("%u = lshr i64 %x, 32\n"
        "%h = bitcast i64 %u to <2 x i32>\n"
        "%lower = extractelement <2 x i32> %h, i32 0\n"
        "%upper = extractelement <2 x i32> %h, i32 1\n"
        "%same = zext i32 %lower to i64\n"
        "%signed = sext i32 %lower to i64\n"
        "%zero = zext i32 %upper to i64\n"
        "%t = trunc i64 %x to i32\n"
        "%other = zext i32 %t to i64\n"
        "%x.h = bitcast i64 %x to <2 x i32>\n"
        "%x.l = extractelement <2 x i32> %x.h, i32 0\n"
        "%cut = zext i32 %x.l to i64");
  EXPECT_TRUE(areSame(named("u"), named("same")));
  EXPECT_TRUE(areSame(named("other"), named("cut")));
  for (const char *Name : {"signed", "zero", "other", "x"})
    EXPECT_FALSE(areSame(named("u"), named(Name))) << Name;
  EXPECT_FALSE(areSame(named("x"), named("cut"))); // 33 bits or more.
}

} // namespace
