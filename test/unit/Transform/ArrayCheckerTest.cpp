//===- ArrayCheckerTest.cpp - whether rewritten arrays do the same --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ArrayChecker.h"

#include "IRText.h"
#include "MachineText.h"
#include "regdem/Analysis/FunctionAnalyses.h"
#include "regdem/Transform/ArrayRewriting.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace regdem;
using regdem::test::parseModule;

namespace arrays {

/// Writes at one place, reads at another, stores all elements.
constexpr StringLiteral Subject = R"(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %p, i32 %i, i32 %j, i32 %a, i32 %b) {
  %array = alloca [4 x i32]
  store i32 %a, ptr %array
  %at1 = getelementptr i8, ptr %array, i64 4
  store i32 %b, ptr %at1
  %at2 = getelementptr i8, ptr %array, i64 8
  store i32 77, ptr %at2
  %at3 = getelementptr i8, ptr %array, i64 12
  store i32 99, ptr %at3
  %to = and i32 %i, 3
  %there = getelementptr i32, ptr %array, i32 %to
  store i32 55, ptr %there
  %from = and i32 %j, 3
  %here = getelementptr i32, ptr %array, i32 %from
  %x = load i32, ptr %here
  store i32 %x, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 4
  %whole = load <4 x i32>, ptr %array
  store <4 x i32> %whole, ptr %p1
  ret void
}
)";

/// The same with bytes, which a word or two hold.
constexpr StringLiteral Bytes = R"(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %p, i32 %i, i32 %j, i64 %a, i8 %b) {
  %array = alloca [8 x i8]
  store i64 %a, ptr %array
  %to = and i32 %i, 7
  %there = getelementptr i8, ptr %array, i32 %to
  store i8 %b, ptr %there
  %from = and i32 %j, 7
  %here = getelementptr i8, ptr %array, i32 %from
  %x = load i8, ptr %here
  store i8 %x, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 8
  %whole = load i64, ptr %array
  store i64 %whole, ptr %p1
  ret void
}
)";

/// Copies a parameter with two tables in a loop.
constexpr StringLiteral Copies = R"(
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptx_kernel void @f(ptr byval({ i32, [4 x i32], [8 x i32] }) align 4 %c,
                          ptr %p, i32 %i, i32 %j) {
  %copy = alloca { i32, [4 x i32], [8 x i32] }
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %c, i64 52, i1 false)
  %short = and i32 %j, 3
  %table = getelementptr i8, ptr %copy, i64 4
  %at = getelementptr i32, ptr %table, i32 %short
  %a = load i32, ptr %at
  %wide = mul i32 %j, 5
  %long = and i32 %wide, 7
  %rest = getelementptr i8, ptr %copy, i64 20
  %place = getelementptr i32, ptr %rest, i32 %long
  %b = load i32, ptr %place
  %s = load i32, ptr %copy
  %more = add i32 %s, %i
  %to = getelementptr { i32, i32, i32 }, ptr %p, i32 %n
  store i32 %a, ptr %to
  %to1 = getelementptr i8, ptr %to, i64 4
  store i32 %b, ptr %to1
  %to2 = getelementptr i8, ptr %to, i64 8
  store i32 %more, ptr %to2
  %next = add i32 %n, 1
  %again = icmp ne i32 %next, 5
  br i1 %again, label %loop, label %done
done:
  ret void
}
)";

std::string complaint(Function &Before, Function &After,
                      ArrayRef<AllocaInst *> Removed = {}) {
  SmallVector<GlobalVariable *, 1> Shared;
  for (GlobalVariable &Variable : After.getParent()->globals())
    if (Variable.getAddressSpace() == 3)
      Shared.push_back(&Variable);
  return toString(checkArrays(Before, After, Removed, Shared));
}

/// What the checker says of After in place of Before, both functions of Text.
std::string complaintOf(StringRef Text, StringRef Before, StringRef After) {
  LLVMContext Context;
  auto M = parseModule(Text, Context);
  return complaint(*M->getFunction(Before), *M->getFunction(After));
}

/// f before and after the rewrite.
struct Pair {
  LLVMContext Context;
  std::unique_ptr<Module> M;
  Function *After = nullptr;
  Function *Before = nullptr;

  explicit Pair(StringRef Text = Subject, const ArrayFreedom &Freedom = {})
      : M(parseModule(Text, Context)) {
    After = M->getFunction("f");
    ValueToValueMapTy Map;
    Before = CloneFunction(After, Map);
    std::unique_ptr<TargetMachine> TM = test::createNVPTXMachine();
    FunctionAnalyses Functions(*TM);
    ArrayRewrite All = rewriteArrays(*After, Functions.get(), Freedom);
    EXPECT_TRUE(All.Arrays.front().leavesLocalMemory());
  }
};

/// The operands of I that a mutation exchanges or counts up.
bool isMutable(const Instruction &I) {
  return isa<SelectInst, ICmpInst>(I) ||
         (isa<GetElementPtrInst, LShrOperator>(I) &&
          isa<ConstantInt>(I.getOperand(1)));
}

void mutate(Instruction &I) {
  if (auto *Choice = dyn_cast<SelectInst>(&I))
    return Choice->swapValues();
  auto *C = dyn_cast<ConstantInt>(I.getOperand(1));
  ASSERT_TRUE(C);
  unsigned Step = isa<GetElementPtrInst>(I) ? 4 : 1;
  I.setOperand(1, ConstantInt::get(C->getType(), C->getValue() + Step));
}

/// How many mutations of what becomes of Text there are; the checker has to
/// find each.
unsigned tryMutations(StringRef Text, const ArrayFreedom &Freedom = {}) {
  unsigned Count = 0;
  Pair Whole(Text, Freedom);
  EXPECT_EQ(complaint(*Whole.Before, *Whole.After), "");
  for (Instruction &I : instructions(*Whole.After)) {
    EXPECT_FALSE(isa<AllocaInst>(I));
    Count += isMutable(I);
  }
  for (unsigned N = 0; N != Count; ++N) {
    Pair P(Text, Freedom);
    unsigned Seen = 0;
    for (Instruction &I : instructions(*P.After))
      if (isMutable(I) && Seen++ == N) {
        mutate(I);
        std::string Mutated;
        raw_string_ostream(Mutated) << I;
        EXPECT_NE(complaint(*P.Before, *P.After), "") << Mutated;
      }
  }
  return Count;
}

TEST(ArrayChecker, FindsEachMutationOfTheRewrite) {
  EXPECT_GE(tryMutations(Subject), 10u);
}

TEST(ArrayChecker, FindsEachMutationOfCopiesThatAreGone) {
  EXPECT_GE(tryMutations(Copies), 5u);
}

/// Subject, with another index for each thread.
std::string gathered() {
  std::string Text = Subject.str();
  StringRef Index = "  %to = and i32 %i, 3\n";
  return Text.replace(Text.find(Index), Index.size(), R"(
  %its = getelementptr i8, ptr %p, i64 64
  %loaded = load i32, ptr %its
  %both = add i32 %loaded, %i
  %to = and i32 %both, 3
)");
}

TEST(ArrayChecker, FindsEachMutationOfSharedArrays) {
  EXPECT_GE(tryMutations(gathered(), {{128, 2048, 8}}), 4u);
}

TEST(ArrayChecker, FindsEachMutationOfNarrowArrays) {
  EXPECT_GE(tryMutations(Bytes), 12u);
}

TEST(ArrayChecker, FindsOtherThreadsPartsOfSharedMemory) {
  Pair P(gathered(), {{128, 2048, 8}});
  unsigned Replaced = 0;
  for (Instruction &I : instructions(*P.After))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I);
        Call && Call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_x) {
      Call->replaceAllUsesWith(ConstantInt::get(Call->getType(), 2));
      ++Replaced;
    }
  EXPECT_EQ(Replaced, 1u);
  EXPECT_EQ(complaint(*P.Before, *P.After),
            "code without arrays leaves its part of shared memory");
}

TEST(ArrayChecker, WhatDoesNotFitIsNotShared) {
  EXPECT_TRUE(Pair(gathered(), {{128, 2047, 8}}).M->global_empty());
  EXPECT_TRUE(
      Pair(Subject, {{128, 2048, 8}}).M->global_empty()); // One for all.
  EXPECT_TRUE(Pair(gathered(), {{128, 2048, 9}}).M->global_empty());
  EXPECT_FALSE(Pair(gathered(), {{128, 2048, 8}}).M->global_empty());
}

TEST(ArrayChecker, FindsStoresThatAreMissingOrElsewhere) {
  Pair P;
  for (Instruction &I : instructions(*P.After))
    if (isa<StoreInst>(I)) {
      I.eraseFromParent();
      break;
    }
  EXPECT_NE(complaint(*P.Before, *P.After).find("other things"),
            std::string::npos);
  Pair Q;
  Q.After->getArg(0)->replaceAllUsesWith(
      ConstantPointerNull::get(PointerType::get(Q.Context, 0)));
  EXPECT_NE(complaint(*Q.Before, *Q.After).find("other things"),
            std::string::npos);
}

TEST(ArrayChecker, FindsAccessesOutsideOfWhatIsRemoved) {
  LLVMContext Context;
  auto M = parseModule(R"(
define void @f(ptr %p, i32 %i) {
  %array = alloca [4 x i32]
  %wide = or i32 %i, 4
  %there = getelementptr i32, ptr %array, i32 %wide
  store i32 55, ptr %there
  ret void
}
)",
                       Context);
  Function &F = *M->getFunction("f");
  auto *Array = cast<AllocaInst>(&F.getEntryBlock().front());
  EXPECT_NE(complaint(F, F, Array).find("outside"), std::string::npos);
  EXPECT_EQ(complaint(F, F), ""); // Its own affair where the array stays.
}

TEST(ArrayChecker, WhatNobodyWroteMayBecomeAnything) {
  constexpr StringLiteral Text = R"(
define void @f(ptr %p) {
  %array = alloca [4 x i32]
  %x = load i32, ptr %array
  store i32 %x, ptr %p
  ret void
}
define void @g(ptr %p) {
  store i32 3, ptr %p
  ret void
}
)";
  EXPECT_EQ(complaintOf(Text, "f", "g"), "");
  EXPECT_NE(complaintOf(Text, "g", "f"), "");
}

TEST(ArrayChecker, NobodyKnowsTheBitsOfNaNs) {
  constexpr StringLiteral Text = R"(
define void @f(ptr %p, float %x) {
  %array = alloca [4 x float]
  %zero = fsub float %x, %x
  %nan = fdiv float %zero, %zero
  store float %nan, ptr %array
  %bits = load i32, ptr %array
  %number = sitofp i32 %bits to float
  %least = call float @llvm.minnum.f32(float %x, float %number)
  store float %least, ptr %p
  ret void
}
define void @g(ptr %p, float %x) {
  store float -1.0e9, ptr %p
  ret void
}
)";
  EXPECT_EQ(complaintOf(Text, "f", "g"), "");
  EXPECT_NE(complaintOf(Text, "g", "f"), "");
}

TEST(ArrayChecker, VectorsAreTheirElementsInMemory) {
  constexpr StringLiteral Text = R"(
define void @f(ptr %p, float %x) {
  %array = alloca [2 x <2 x float>]
  %zero = fsub float %x, %x
  %nan = fdiv float %zero, %zero
  %one = insertelement <2 x float> poison, float %x, i64 0
  store <2 x float> %one, ptr %array
  %both = insertelement <2 x float> %one, float %nan, i64 1
  %other = getelementptr i8, ptr %array, i64 8
  store <2 x float> %both, ptr %other
  %known = load i32, ptr %array
  store i32 %known, ptr %p
  %place = getelementptr i8, ptr %array, i64 12
  %bits = load i32, ptr %place
  %next = getelementptr i8, ptr %p, i64 4
  store i32 %bits, ptr %next
  ret void
}
define void @g(ptr %p, float %x) {
  store float %x, ptr %p
  %zero = fsub float %x, %x
  %nan = fdiv float %zero, %zero
  %next = getelementptr i8, ptr %p, i64 4
  store float %nan, ptr %next
  ret void
}
)";
  EXPECT_EQ(complaintOf(Text, "f", "g"), "");
  EXPECT_EQ(complaintOf(Text, "g", "f"), "");
}

TEST(ArrayChecker, NoTypeHasASignThatIsTakenOff) {
  constexpr StringLiteral Text = R"(
define void @f(ptr %p, bfloat %x) {
  %y = fneg bfloat %x
  %z = call bfloat @llvm.fabs.bf16(bfloat %y)
  store bfloat %z, ptr %p
  ret void
}
define void @g(ptr %p, bfloat %x) {
  %z = call bfloat @llvm.fabs.bf16(bfloat %x)
  store bfloat %z, ptr %p
  ret void
}
define void @h(ptr %p, bfloat %x) {
  store bfloat %x, ptr %p
  ret void
}
)";
  EXPECT_EQ(complaintOf(Text, "f", "g"), "");
  EXPECT_NE(complaintOf(Text, "f", "h"), "");
}

TEST(ArrayChecker, WhatOverflowsMayBecomeAnything) {
  for (StringRef Flagged : {"shl nsw", "mul nsw", "shl"}) {
    std::string Text = (R"(
define void @f(ptr %p, i32 %i) {
  %large = or i32 %i, 1073741824
  %twice = )" + Flagged +
                        R"( i32 %large, 2
  store i32 %twice, ptr %p
  ret void
}
define void @g(ptr %p, i32 %i) {
  store i32 7, ptr %p
  ret void
}
)")
                           .str();
    EXPECT_EQ(complaintOf(Text, "f", "g").empty(), Flagged.ends_with("nsw"))
        << Flagged.str();
  }
}

TEST(ArrayChecker, OfWhatIsStoppedAllThatWasStoredIsCompared) {
  std::string Endless = R"(
define void @NAME(ptr %p) {
  store i32 FIRST, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store i32 %i, ptr %q
  %next = add i32 %i, 1
  %more = icmp ne i32 %next, 1000000
  br i1 %more, label %loop, label %done
done:
  ret void
}
)";
  auto Named = [&](StringRef Name, StringRef First) {
    std::string Text = Endless;
    Text.replace(Text.find("NAME"), 4, Name);
    return Text.replace(Text.find("FIRST"), 5, First);
  };
  std::string Text = Named("f", "7") + Named("g", "8");
  EXPECT_EQ(complaintOf(Text, "f", "f"), "");
  EXPECT_NE(complaintOf(Text, "f", "g").find("other values"),
            std::string::npos);
}

TEST(ArrayChecker, DeclinesWhatItCannotRun) {
  LLVMContext Context;
  auto M = parseModule("define void @f(ptr %p) {\n"
                       "  %x = cmpxchg ptr %p, i32 1, i32 2 seq_cst seq_cst\n"
                       "  ret void\n}\n",
                       Context);
  Function &F = *M->getFunction("f");
  EXPECT_NE(complaint(F, F).find("cannot be checked"), std::string::npos);
}

} // namespace arrays
