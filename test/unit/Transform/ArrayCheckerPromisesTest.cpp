//===- ArrayCheckerPromisesTest.cpp - what code says of its values --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRText.h"
#include "regdem/Transform/ArrayChecker.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;
using regdem::test::parseModule;

namespace promises {

/// What the checker says of After in place of Before: bodies of a function of
/// pointers %p and %q and a number %i, in a module with Other. The first may
/// have random values that LLVM knows it has not.
std::string complaint(StringRef Before, StringRef After, StringRef Other = "") {
  LLVMContext Context;
  constexpr StringLiteral Head = "(ptr %p, ptr %q, i32 range(i32 100, 200) %i, "
                                 "float nofpclass(pnorm zero) %x) {\n";
  std::string Text =
      (Other + "define void @f" + Head + Before + "  ret void\n}\n" +
       "define void @g" + Head + After + "  ret void\n}\n" +
       "!0 = !{i32 0, i32 8, i32 50, i32 54}\n!1 = !{i8 0, i8 2}\n"
       "!2 = !{}\n!3 = !{i64 16}\n")
          .str();
  auto M = parseModule(Text, Context);
  return toString(checkArrays(*M->getFunction("f"), *M->getFunction("g"), {}));
}

/// Whether the checker takes After, which LLVM may make of Before, and still
/// finds what is wrong with Wrong.
void expectTakesOnly(StringRef Before, StringRef After, StringRef Wrong,
                     StringRef Other = "") {
  EXPECT_EQ(complaint(Before, After, Other), "") << Before.str();
  EXPECT_NE(complaint(Before, Wrong, Other), "") << Before.str();
}

constexpr StringLiteral StoreOne = "  store i32 1, ptr %p\n",
                        StoreTwo = "  store i32 2, ptr %p\n",
                        StoreZero = "  store i32 0, ptr %p\n";

TEST(ArrayPromises, LoadsAreInTheirRange) {
  expectTakesOnly(R"(
  %n = load i32, ptr %q, !range !0
  %low = icmp ult i32 %n, 54
  %is = zext i1 %low to i32
  store i32 %is, ptr %p
)",
                  StoreOne, StoreTwo);
}

TEST(ArrayPromises, BooleansAreZeroOrOne) {
  constexpr StringLiteral Before = R"(
  %n = load i8, ptr %q, !range !1, !noundef !2
  %bit = trunc i8 %n to i1
  %is = zext i1 %bit to i8
  store i8 %is, ptr %p
)",
                          After = R"(
  %n = load i8, ptr %q
  store i8 %n, ptr %p
)",
                          Wrong = R"(
  %n = load i8, ptr %q
  %not = xor i8 %n, 1
  store i8 %not, ptr %p
)";
  expectTakesOnly(Before, After, Wrong);
}

TEST(ArrayPromises, BothRunsFindTheSameMemory) {
  constexpr StringLiteral Before = R"(
  %a = load i8, ptr %q, !range !1
  %q1 = getelementptr i8, ptr %q, i64 1
  %b = load i8, ptr %q1, !range !1
  store i8 %a, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 1
  store i8 %b, ptr %p1
)",
                          After = R"(
  %both = load i16, ptr %q
  store i16 %both, ptr %p
)";
  EXPECT_EQ(complaint(Before, After), "");
  // What has been looked at stays as it is, and what is said of it says
  // nothing.
  constexpr StringLiteral Looked = R"(
  %word = load i32, ptr %q
  store i32 %word, ptr %p
  %n = load i32, ptr %q, !range !0
  %low = icmp ult i32 %n, 54
  %is = zext i1 %low to i32
  %p1 = getelementptr i8, ptr %p, i64 4
  store i32 %is, ptr %p1
)",
                          Known = R"(
  %word = load i32, ptr %q
  store i32 %word, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 4
  store i32 1, ptr %p1
)";
  EXPECT_EQ(complaint(Looked, Known), "");
}

TEST(ArrayPromises, LoadedPointersAreAlignedAndNotNull) {
  expectTakesOnly(R"(
  %there = load ptr, ptr %q, !align !3
  %bits = ptrtoint ptr %there to i64
  %low = and i64 %bits, 15
  %is = trunc i64 %low to i32
  store i32 %is, ptr %p
)",
                  StoreZero, StoreTwo);
  EXPECT_EQ(complaint(R"(
  store ptr null, ptr %q
  %there = load ptr, ptr %q, !nonnull !2
  %null = icmp eq ptr %there, null
  %is = zext i1 %null to i32
  store i32 %is, ptr %p
)",
                      "  store ptr null, ptr %q\n" + StoreZero.str()),
            "");
}

TEST(ArrayPromises, WhatIsUndefinedAgainstItsWordSaysNothing) {
  constexpr StringLiteral Before = R"(
  %own = alloca i32
  %n = load i32, ptr %own DEFINED
  %some = freeze i32 %n
  store i32 %some, ptr %p
)";
  auto With = [&](StringRef Defined) {
    std::string Text = Before.str();
    return Text.replace(Text.find("DEFINED"), 7, Defined);
  };
  EXPECT_EQ(complaint(With(", !noundef !2"), StoreTwo), "");
  EXPECT_NE(complaint(With(""), StoreTwo), "");
}

TEST(ArrayPromises, ArgumentsAreWhatTheirAttributesSay) {
  expectTakesOnly(R"(
  %in = icmp ugt i32 %i, 99
  %is = zext i1 %in to i32
  store i32 %is, ptr %p
)",
                  StoreOne, StoreTwo);
  expectTakesOnly(R"(
  %in = fcmp olt float %x, 0.0
  %is = zext i1 %in to i32
  store i32 %is, ptr %p
)",
                  StoreOne, StoreTwo);
}

TEST(ArrayPromises, CallsGiveWhatTheirAttributesSay) {
  expectTakesOnly(R"(
  %n = call range(i32 64, 128) i32 @number(i32 3)
  %in = icmp ugt i32 %n, 63
  %is = zext i1 %in to i32
  store i32 %is, ptr %p
)",
                  StoreOne, StoreTwo,
                  "declare i32 @number(i32) memory(none)\n");
  expectTakesOnly(R"(
  %n = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  store i32 %n, ptr %p
)",
                  "  store i32 32, ptr %p\n", StoreTwo);
  expectTakesOnly(R"(
  %n = call i32 @same(i32 %i)
  store i32 %n, ptr %p
)",
                  R"(
  %n = call i32 @same(i32 %i)
  store i32 %i, ptr %p
)",
                  R"(
  %n = call i32 @same(i32 %i)
  store i32 1, ptr %p
)",
                  "declare i32 @same(i32 returned)\n");
}

TEST(ArrayPromises, WhatIsPassedOnIsWhatItsAttributesSay) {
  EXPECT_EQ(complaint(R"(
  %n = and i32 %i, 7
  call void @take(i32 %n)
  %in = icmp ugt i32 %n, 7
  %is = zext i1 %in to i32
  store i32 %is, ptr %p
)",
                      "  %n = and i32 %i, 7\n  call void @take(i32 %n)\n" +
                          StoreOne.str(),
                      "declare void @take(i32 noundef range(i32 8, 128))\n"),
            "");
}

TEST(ArrayPromises, AssumptionsHoldOfWhatIsRun) {
  for (StringRef Said :
       {R"("align"(ptr %at, i64 16))", R"("align"(ptr %from, i64 16, i64 4))"})
    EXPECT_EQ(complaint((R"(
  %at = load ptr, ptr %q
  %from = getelementptr i8, ptr %at, i64 4
  call void @llvm.assume(i1 true) [)" +
                         Said + R"(]
  %bits = ptrtoint ptr %at to i64
  %low = and i64 %bits, 15
  %is = trunc i64 %low to i32
  store i32 %is, ptr %p
)")
                            .str(),
                        StoreZero),
              "")
        << Said.str();
}

TEST(ArrayPromises, FlagsHoldOfWhatIsRun) {
  // An instruction with a flag, of which the operands make poison; its type and
  // another value.
  struct Case {
    StringRef Start, Flag, Rest, Type, Other;
  };
  for (const Case &C : std::initializer_list<Case>{
           {"sdiv", "exact", "i32 %odd, 4", "i32", "7777"},
           {"udiv", "exact", "i32 %odd, 4", "i32", "7777"},
           {"lshr", "exact", "i32 %odd, 1", "i32", "7777"},
           {"or", "disjoint", "i32 %odd, 1", "i32", "7777"},
           {"zext", "nneg", "i32 %negative to i64", "i64", "7777"},
           {"trunc", "nuw", "i32 %negative to i8", "i8", "77"},
           {"trunc", "nsw", "i32 %large to i8", "i8", "77"},
           {"icmp", "samesign", "ult i32 %i, %negative", "i1", "0"},
           {"fdiv", "ninf", "float 1.0, %zero", "float", "77.0"}}) {
    auto Whole = [&](StringRef Flag) {
      return ("  %odd = or i32 %i, 1\n  %negative = or i32 %i, -65536\n"
              "  %large = or i32 %i, 1024\n  %zero = fsub float %x, %x\n"
              "  %n = " +
              C.Start + " " + Flag + " " + C.Rest + "\n  store " + C.Type +
              " %n, ptr %p\n")
          .str();
    };
    std::string Other =
        ("  store " + C.Type + " " + C.Other + ", ptr %p\n").str();
    EXPECT_EQ(complaint(Whole(C.Flag), Other), "") << C.Flag.str();
    EXPECT_NE(complaint(Whole(""), Other), "") << C.Flag.str();
  }
}

} // namespace promises
