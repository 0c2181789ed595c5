//===- SharedBasesTest.cpp - one register for neighbouring places ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/SharedBases.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace regdem;

namespace {

/// A kernel that computes random places of what it is given from two numbers,
/// and stores to some of them at once, to others only where it is told to.
class RandomKernel {
public:
  explicit RandomKernel(unsigned Seed) : Random(Seed), M("m", Context) {
    M.setDataLayout("e-p3:32:32-p5:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:"
                    "64");
    IRBuilder<> B(Context), Told(Context);
    F = Function::Create(FunctionType::get(B.getVoidTy(),
                                           {B.getPtrTy(1), B.getInt32Ty(),
                                            B.getInt32Ty(), B.getInt1Ty()},
                                           /*isVarArg=*/false),
                         Function::ExternalLinkage, "k", M);
    B.SetInsertPoint(BasicBlock::Create(Context, "entry", F));
    Told.SetInsertPoint(BasicBlock::Create(Context, "told", F));
    Values = {F->getArg(1), F->getArg(2)};
    for (unsigned I = 0; I != 12; ++I)
      Values.push_back(value(B));
    for (unsigned I = 0; I != 10; ++I) {
      Value *Index = pick();
      Index = toss() ? B.CreateSExt(Index, B.getInt64Ty())
                     : B.CreateZExt(Index, B.getInt64Ty(), "", toss());
      Value *Place = B.CreateGEP(toss() ? B.getInt32Ty() : B.getInt64Ty(),
                                 F->getArg(0), Index);
      (toss() ? B : Told).CreateStore(B.getInt8(0), Place);
    }
    BasicBlock *Exit = BasicBlock::Create(Context, "exit", F);
    B.CreateCondBr(F->getArg(3), Told.GetInsertBlock(), Exit);
    Told.CreateBr(Exit);
    B.SetInsertPoint(Exit);
    B.CreateRetVoid();
  }

  /// The places of the stores, where the numbers are A and B; none of one whose
  /// computation breaks a promise that its instructions make, and none at all
  /// if that is one of which the kernel makes use at once.
  std::vector<std::optional<int64_t>> places(int32_t A, int32_t B) const {
    std::vector<std::optional<int64_t>> Places;
    for (const Instruction &I : instructions(*F))
      if (const auto *S = dyn_cast<StoreInst>(&I)) {
        Places.push_back(evaluate(*S->getPointerOperand(), A, B));
        if (!Places.back() && S->getParent() == &F->getEntryBlock())
          return {};
      }
    return Places;
  }

  Function *F;

private:
  std::mt19937 Random;
  LLVMContext Context;
  Module M;
  std::vector<Value *> Values;

  bool toss() { return Random() % 2; }
  Value *pick() { return Values[Random() % Values.size()]; }

  Value *value(IRBuilder<> &B) {
    Value *L = pick();
    Value *R = Random() % 3 ? B.getInt32(Random() % 9 - 4) : pick();
    switch (Random() % 4) {
    case 0:
      return B.CreateSub(L, R, "", toss(), Random() % 4);
    case 1:
      return B.CreateOr(L, R, "", toss());
    default:
      return B.CreateAdd(L, R, "", toss(), Random() % 4);
    }
  }

  static std::optional<int64_t> evaluate(const Value &V, int32_t A, int32_t B) {
    if (const auto *C = dyn_cast<ConstantInt>(&V))
      return C->getSExtValue();
    if (const auto *Given = dyn_cast<Argument>(&V))
      return Given->getArgNo() == 0 ? 0 : Given->getArgNo() == 1 ? A : B;
    const auto &I = cast<Instruction>(V);
    auto L = evaluate(*I.getOperand(0), A, B);
    auto R = I.getNumOperands() > 1 ? evaluate(*I.getOperand(1), A, B) : L;
    if (!L || !R)
      return std::nullopt;
    if (isa<SExtInst>(I))
      return L;
    if (isa<ZExtInst>(I))
      return I.hasNonNeg() && *L < 0 ? std::nullopt
                                     : std::optional(*L & 0xffffffff);
    if (const auto *G = dyn_cast<GetElementPtrInst>(&I))
      return *L +
             *R * int64_t(G->getSourceElementType()->getIntegerBitWidth() / 8);
    if (I.getOpcode() == Instruction::Or)
      return cast<PossiblyDisjointInst>(I).isDisjoint() && (*L & *R)
                 ? std::nullopt
                 : std::optional(*L | *R);
    bool IsSum = I.getOpcode() == Instruction::Add;
    int64_t Signed = IsSum ? *L + *R : *L - *R;
    int64_t UnsignedL = *L & 0xffffffff, UnsignedR = *R & 0xffffffff;
    int64_t Unsigned = IsSum ? UnsignedL + UnsignedR : UnsignedL - UnsignedR;
    if ((I.hasNoSignedWrap() && Signed != int32_t(Signed)) ||
        (I.hasNoUnsignedWrap() && (Unsigned < 0 || Unsigned > 0xffffffff)))
      return std::nullopt;
    return int32_t(Signed);
  }
};

TEST(SharedBases, PlacesStayWhereTheyAre) {
  const int32_t Numbers[] = {
      0,         1,  2,  7,         4096,         INT32_MAX - 2,
      INT32_MAX, -1, -5, INT32_MIN, INT32_MIN + 3};
  unsigned Changed = 0, Compared = 0;
  for (unsigned Seed = 0; Seed != 2000; ++Seed) {
    RandomKernel Before(Seed), After(Seed);
    Changed += shareBases(*After.F);
    ASSERT_FALSE(verifyFunction(*After.F, &errs()));
    for (int32_t A : Numbers)
      for (int32_t B : Numbers) {
        auto Were = Before.places(A, B), Are = After.places(A, B);
        if (Were.empty())
          continue;
        ASSERT_EQ(Were.size(), Are.size());
        for (size_t I = 0; I != Were.size(); ++I)
          if (Were[I]) {
            EXPECT_EQ(Were[I], Are[I]) << "seed " << Seed;
            ++Compared;
          }
      }
  }
  EXPECT_GT(Changed, 200u);
  EXPECT_GT(Compared, 100000u);
}

} // namespace
