//===- AddressFormTest.cpp - addresses as sums of multiples ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/AddressForm.h"

#include "IRText.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

/// Of a function with this body, the forms of the addresses that are loaded
/// from, as "base + offset + factor*value…", one a line, extensions as "s" and
/// "z", and what has to be added to the first for the second.
class AddressFormTest : public testing::Test {
protected:
  std::string formsOf(StringRef Body) {
    M = parseAddressCode(Body, Context);
    if (!M)
      return "";
    AddressForms Forms(M->getDataLayout());
    Found.clear();
    std::string Text;
    for (Instruction &I : instructions(*M->getFunction("f")))
      if (auto *Load = dyn_cast<LoadInst>(&I)) {
        Found.push_back(Forms.of(Load->getPointerOperand()));
        Text += toString(Found.back());
      }
    return Text;
  }

  std::string stepOf(StringRef Body) {
    formsOf(Body);
    EXPECT_EQ(Found.size(), 2u);
    std::optional<AddressStep> Step = stepBetween(Found[0], Found[1]);
    if (!Step)
      return "none";
    return std::to_string(static_cast<int64_t>(Step->Offset)) +
           (Step->Term.Factor ? toString(Step->Term) : "");
  }

private:
  LLVMContext Context;
  std::unique_ptr<Module> M;
  std::vector<AddressForm> Found;

  static std::string toString(const AddressTerm &T) {
    const char *By = T.By == Extension::Sign   ? "s"
                     : T.By == Extension::Zero ? "z"
                                               : "";
    return " + " + std::to_string(static_cast<int64_t>(T.Factor)) + "*" + By +
           T.Of->getName().str();
  }
  static std::string toString(const AddressForm &F) {
    std::string Text = F.Base->getName().str() + " + " +
                       std::to_string(static_cast<int64_t>(F.Offset));
    for (const AddressTerm &T : F.Terms)
      Text += toString(T);
    return Text + "\n";
  }
};

TEST_F(AddressFormTest, SumsProductsAndShiftsOf64Bits) {
  EXPECT_EQ(formsOf(R"(
%twice = shl i64 %x, 1
%sum = add i64 %twice, %y
%more = sub i64 %sum, 3
%times = mul i64 %more, 5
%i = getelementptr float, ptr addrspace(1) %p, i64 %times
%j = getelementptr i8, ptr addrspace(1) %i, i64 %y
%l = load float, ptr addrspace(1) %j)"),
            "p + -60 + 40*x + 21*y\n");
}

TEST_F(AddressFormTest, ValuesThatCancelOutAreGone) {
  EXPECT_EQ(formsOf(R"(
%sum = add i64 %x, %y
%less = sub i64 %sum, %x
%i = getelementptr float, ptr addrspace(1) %p, i64 %less
%l = load float, ptr addrspace(1) %i)"),
            "p + 0 + 4*y\n");
}

TEST_F(AddressFormTest, SignedExtensionOfWhatDoesNotOverflow) {
  EXPECT_EQ(formsOf(R"(
%times = mul nsw i32 %a, -7
%sum = add nsw i32 %times, %b
%wide = sext i32 %sum to i64
%i = getelementptr float, ptr addrspace(1) %p, i64 %wide
%l = load float, ptr addrspace(1) %i)"),
            "p + 0 + -28*sa + 4*sb\n");
}

TEST_F(AddressFormTest, WhatMayOverflowIsAValueOfItsOwn) {
  EXPECT_EQ(formsOf(R"(
%sum = add nuw i32 %a, %b
%wide = sext i32 %sum to i64
%i = getelementptr float, ptr addrspace(1) %p, i64 %wide
%l = load float, ptr addrspace(1) %i
%product = mul nsw i32 %a, 3
%far = zext i32 %product to i64
%j = getelementptr float, ptr addrspace(1) %p, i64 %far
%m = load float, ptr addrspace(1) %j)"),
            "p + 0 + 4*ssum\np + 0 + 4*zproduct\n");
}

TEST_F(AddressFormTest, UnsignedExtensionOfWhatDoesNotOverflow) {
  EXPECT_EQ(formsOf(R"(
%times = shl nuw i32 %a, 3
%sum = add nuw i32 %times, -1
%wide = zext i32 %sum to i64
%i = getelementptr i8, ptr addrspace(1) %p, i64 %wide
%l = load i8, ptr addrspace(1) %i)"),
            "p + 4294967295 + 8*za\n");
}

TEST_F(AddressFormTest, ExtensionOfWhatIsNotNegativeHasASign) {
  EXPECT_EQ(formsOf(R"(
%sum = add nsw i32 %a, %b
%wide = zext nneg i32 %sum to i64
%i = getelementptr i8, ptr addrspace(1) %p, i64 %wide
%l = load i8, ptr addrspace(1) %i)"),
            "p + 0 + 1*sa + 1*sb\n");
}

TEST_F(AddressFormTest, DisjointBitsAreASum) {
  EXPECT_EQ(formsOf(R"(
%bits = or disjoint i32 %a, 3
%wide = sext i32 %bits to i64
%i = getelementptr i8, ptr addrspace(1) %p, i64 %wide
%l = load i8, ptr addrspace(1) %i
%mixed = or i64 %x, 3
%j = getelementptr i8, ptr addrspace(1) %p, i64 %mixed
%m = load i8, ptr addrspace(1) %j)"),
            "p + 3 + 1*sa\np + 0 + 1*mixed\n");
}

TEST_F(AddressFormTest, IndexOfFewerBitsHasASign) {
  EXPECT_EQ(formsOf(R"(
%i = getelementptr {i64, [4 x i64]}, ptr addrspace(1) %p, i32 %a, i32 1, i32 %b
%l = load i64, ptr addrspace(1) %i)"),
            "p + 8 + 40*sa + 8*sb\n");
}

TEST_F(AddressFormTest, IndexOfMoreBitsIsNotLookedInto) {
  EXPECT_EQ(formsOf(R"(
%i = getelementptr i32, ptr addrspace(1) %p, i128 %huge
%l = load i64, ptr addrspace(1) %i)"),
            "i + 0\n");
}

TEST_F(AddressFormTest, StepIsOneMultipleAndAConstant) {
  EXPECT_EQ(stepOf(R"(
%i = getelementptr float, ptr addrspace(1) %p, i64 %x
%l = load float, ptr addrspace(1) %i
%sum = add i64 %x, %y
%j = getelementptr float, ptr addrspace(1) %p, i64 %sum
%k = getelementptr i8, ptr addrspace(1) %j, i64 12
%m = load float, ptr addrspace(1) %k)"),
            "12 + 4*y");
}

TEST_F(AddressFormTest, NoStepOverTwoValuesOrBetweenBases) {
  EXPECT_EQ(stepOf(R"(
%i = getelementptr float, ptr addrspace(1) %p, i64 %x
%l = load float, ptr addrspace(1) %i
%j = getelementptr float, ptr addrspace(1) %p, i64 %y
%m = load float, ptr addrspace(1) %j)"),
            "none");
  EXPECT_EQ(stepOf(R"(
%l = load float, ptr addrspace(1) %p
%m = load float, ptr addrspace(1) %q)"),
            "none");
}

TEST_F(AddressFormTest, SameValueExtendedInAnotherWayIsAnotherTerm) {
  EXPECT_EQ(stepOf(R"(
%e = sext i32 %a to i64
%i = getelementptr i8, ptr addrspace(1) %p, i64 %e
%l = load i8, ptr addrspace(1) %i
%z = zext i32 %a to i64
%j = getelementptr i8, ptr addrspace(1) %p, i64 %z
%m = load i8, ptr addrspace(1) %j)"),
            "none");
}

} // namespace
