//===- ArrayCheckerEffectsTest.cpp - what others see of a thread ----------===//
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

namespace {

/// Compares functions of Text by their names.
struct Comparison {
  LLVMContext Context;
  std::unique_ptr<Module> M;

  explicit Comparison(StringRef Text) : M(parseModule(Text, Context)) {}
  /// What the checker says of After in place of Before.
  std::string operator()(StringRef Before, StringRef After) const {
    return toString(
        checkArrays(*M->getFunction(Before), *M->getFunction(After), {}));
  }
};

TEST(ArrayEffects, CallsWithoutMemoryMayBeJoinedOthersNot) {
  Comparison Compare(R"(
declare i32 @pure(i32) convergent nounwind memory(none)
declare i32 @vote(i32) convergent nounwind memory(inaccessiblemem: readwrite)
define void @f(ptr %p) {
  %x = call i32 @pure(i32 7)
  %y = call i32 @pure(i32 7)
  %z = add i32 %x, %y
  store i32 %z, ptr %p
  ret void
}
define void @g(ptr %p) {
  %x = call i32 @pure(i32 7)
  %z = shl i32 %x, 1
  store i32 %z, ptr %p
  ret void
}
define void @h(ptr %p) {
  %x = call i32 @pure(i32 8)
  %z = shl i32 %x, 1
  store i32 %z, ptr %p
  ret void
}
define void @voting(ptr %p) {
  %x = call i32 @vote(i32 7)
  %y = call i32 @vote(i32 7)
  store i32 1, ptr %p
  ret void
}
define void @votingOnce(ptr %p) {
  %x = call i32 @vote(i32 7)
  store i32 1, ptr %p
  ret void
}
)");
  EXPECT_EQ(Compare("f", "g"), "");
  EXPECT_NE(Compare("f", "h"), "");
  EXPECT_NE(Compare("voting", "votingOnce"), "");
}

TEST(ArrayEffects, WhatOnlyReadsMayBeMissingButSeesTheSame) {
  Comparison Compare(R"(
declare i32 @look(ptr) convergent nounwind willreturn memory(argmem: read)
declare i32 @search() convergent nounwind willreturn memory(read)
declare i32 @wait(ptr) convergent nounwind memory(argmem: read)
declare void @meet() convergent nounwind
define void @thrice(ptr noalias %in, ptr %p) {
  %dead = call i32 @look(ptr %p)
  %x = call i32 @look(ptr %in)
  store i32 %x, ptr %p
  call void @meet()
  %y = call i32 @look(ptr %in)
  store i32 %y, ptr %p
  ret void
}
define void @once(ptr noalias %in, ptr %p) {
  %x = call i32 @look(ptr %in)
  store i32 %x, ptr %p
  call void @meet()
  store i32 %x, ptr %p
  ret void
}
define void @ahead(ptr noalias %in, ptr %p) {
  %x = call i32 @look(ptr %p)
  store i32 7, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 4
  store i32 %x, ptr %p1
  ret void
}
define void @after(ptr noalias %in, ptr %p) {
  store i32 7, ptr %p
  %x = call i32 @look(ptr %p)
  %p1 = getelementptr i8, ptr %p, i64 4
  store i32 %x, ptr %p1
  ret void
}
define void @elsewhere(ptr noalias %in, ptr %p) {
  %q = getelementptr i8, ptr %in, i64 8
  store i32 7, ptr %q
  %x = call i32 @look(ptr %p)
  store i32 %x, ptr %p
  ret void
}
define void @elsewhereLater(ptr noalias %in, ptr %p) {
  %x = call i32 @look(ptr %p)
  %q = getelementptr i8, ptr %in, i64 8
  store i32 7, ptr %q
  store i32 %x, ptr %p
  ret void
}
define void @searchAhead(ptr noalias %in, ptr %p) {
  %x = call i32 @search()
  call void @meet()
  store i32 %x, ptr %p
  ret void
}
define void @searchAfter(ptr noalias %in, ptr %p) {
  call void @meet()
  %x = call i32 @search()
  store i32 %x, ptr %p
  ret void
}
define void @waits(ptr noalias %in, ptr %p) {
  %x = call i32 @wait(ptr %in)
  ret void
}
define void @goesOn(ptr noalias %in, ptr %p) {
  ret void
}
)");
  EXPECT_EQ(Compare("thrice", "once"), "");
  EXPECT_NE(Compare("ahead", "after"), "");
  EXPECT_EQ(Compare("elsewhere", "elsewhereLater"), "");
  EXPECT_NE(Compare("searchAhead", "searchAfter"), "");
  EXPECT_NE(Compare("waits", "goesOn"), "");
}

TEST(ArrayEffects, WhatIsSaidToLLVMAloneDoesNotCount) {
  Comparison Compare(R"(
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.sideeffect()
declare void @meet() convergent nounwind
define void @told(ptr %p) {
  call void @llvm.experimental.noalias.scope.decl(metadata !1)
  store i32 7, ptr %p
  call void @llvm.sideeffect()
  ret void
}
define void @plain(ptr %p) {
  store i32 7, ptr %p
  ret void
}
define void @meeting(ptr %p) {
  call void @meet()
  store i32 7, ptr %p
  ret void
}
!0 = distinct !{!0}
!1 = !{!2}
!2 = distinct !{!2, !0}
)");
  EXPECT_EQ(Compare("told", "plain"), "");
  EXPECT_EQ(Compare("plain", "told"), "");
  EXPECT_NE(Compare("meeting", "plain"), "");
}

TEST(ArrayEffects, CopiesKeepTheBytesThatAreKnown) {
  Comparison Compare(R"(
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @bytes(ptr %p) {
  %from = alloca i64
  %to = alloca i64
  store i8 7, ptr %from
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 8, i1 false)
  %x = load i8, ptr %to
  store i8 %x, ptr %p
  ret void
}
define void @word(ptr %p) {
  %from = alloca i64
  %to = alloca i64
  store i8 7, ptr %from
  %all = load i64, ptr %from
  store i64 %all, ptr %to
  %x = load i8, ptr %to
  store i8 %x, ptr %p
  ret void
}
define void @other(ptr %p) {
  %from = alloca i64
  %to = alloca i64
  store i8 7, ptr %from
  %all = load i64, ptr %from
  store i64 %all, ptr %to
  %next = getelementptr i8, ptr %to, i64 1
  %x = load i8, ptr %next
  store i8 %x, ptr %p
  ret void
}
)");
  EXPECT_EQ(Compare("bytes", "word"), "");
  EXPECT_EQ(Compare("word", "bytes"), "");
  EXPECT_NE(Compare("bytes", "other"), "");
}

TEST(ArrayEffects, AtomicsThatAreTheSameUnderTwoNamesAreEqual) {
  Comparison Compare(R"(
define void @and(ptr %p) {
  %x = atomicrmw and ptr %p, i32 0 monotonic
  %y = atomicrmw min ptr %p, i32 -2147483648 monotonic
  %z = atomicrmw xor ptr %p, i32 0 monotonic
  %w = atomicrmw umin ptr %p, i32 -1 monotonic
  ret void
}
define void @exchange(ptr %p) {
  %x = atomicrmw xchg ptr %p, i32 0 monotonic
  %y = atomicrmw xchg ptr %p, i32 -2147483648 monotonic
  %z = atomicrmw or ptr %p, i32 0 monotonic
  %w = atomicrmw or ptr %p, i32 0 monotonic
  ret void
}
define void @other(ptr %p) {
  %x = atomicrmw xchg ptr %p, i32 1 monotonic
  %y = atomicrmw xchg ptr %p, i32 -2147483648 monotonic
  %z = atomicrmw or ptr %p, i32 0 monotonic
  %w = atomicrmw or ptr %p, i32 0 monotonic
  ret void
}
)");
  EXPECT_EQ(Compare("and", "exchange"), "");
  EXPECT_NE(Compare("and", "other"), "");
}

// A call may write what it is given the address of. A number that code shifts,
// of which it takes some for offsets, is none.
TEST(ArrayEffects, NumbersThatAreShiftedAreNoAddresses) {
  Comparison Compare(R"(
declare void @take(i64)
define void @f(ptr %p, i32 %x) {
  %array = alloca [2 x i32]
  store i32 %x, ptr %array
  %round = shl i64 1, 40
  %number = or i64 %round, 8388608
  call void @take(i64 %number)
  %y = load i32, ptr %array
  store i32 %y, ptr %p
  ret void
}
define void @g(ptr %p, i32 %x) {
  call void @take(i64 1099520016384)
  store i32 %x, ptr %p
  ret void
}
)");
  EXPECT_EQ(Compare("f", "g"), "");
}

TEST(ArrayEffects, StoresThatNobodyCanTellMayBeMissing) {
  Comparison Compare(R"(
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent nounwind
define void @same(ptr %p, ptr %q) {
  %x = load i32, ptr %p
  store i32 %x, ptr %p
  store i32 1, ptr %q
  ret void
}
define void @twice(ptr %p, ptr %q) {
  store i32 7, ptr %q
  store i32 1, ptr %q
  ret void
}
define void @one(ptr %p, ptr %q) {
  store i32 1, ptr %q
  ret void
}
define void @none(ptr %p, ptr %q) {
  ret void
}
define void @seen(ptr %p, ptr %q) {
  store i32 7, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 1, ptr %q
  ret void
}
define void @unseen(ptr %p, ptr %q) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 1, ptr %q
  ret void
}
define void @early(ptr %p, ptr %q) {
  store i32 1, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
define void @watched(ptr %p, ptr %q) {
  store volatile i32 7, ptr %q
  store i32 1, ptr %q
  ret void
}
define void @polled(ptr %p, ptr %q) {
  %x = load volatile i32, ptr %p
  store i32 1, ptr %q
  ret void
}
)");
  EXPECT_EQ(Compare("same", "one"), "");
  EXPECT_EQ(Compare("twice", "one"), "");
  EXPECT_NE(Compare("one", "same"), ""); // Others may store there.
  EXPECT_NE(Compare("one", "none"), "");
  EXPECT_NE(Compare("twice", "none"), "");
  EXPECT_NE(Compare("seen", "unseen"), "");
  EXPECT_NE(Compare("unseen", "early"), "");
  EXPECT_NE(Compare("watched", "one"), "");
  EXPECT_NE(Compare("polled", "one"), "");
}

} // namespace
