//===- Approximations.cpp - what only the GPU computes so -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/Approximations.h"

#include "FunctionCopy.h"
#include "regdem/Analysis/FunctionAnalyses.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace regdem {

/// Whether the GPU computes I so that the value may be another one than that
/// of the function.
static bool isApproximate(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (const auto *Text = dyn_cast<InlineAsm>(Call->getCalledOperand())) {
    StringRef Assembly = Text->getAsmString();
    return Assembly.contains(".approx") || Assembly.contains("div.full");
  }
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(Call);
  if (!Intrinsic || Call->getType()->getScalarType()->isDoubleTy())
    return false;
  switch (Intrinsic->getIntrinsicID()) {
  case Intrinsic::sqrt:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::tanh:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
    return true;
  default:
    StringRef Name = Intrinsic->getCalledFunction()->getName();
    return Name.starts_with("llvm.nvvm.") &&
           (Name.contains(".approx") || Name.contains(".div.full") ||
            Name.contains(".sqrt.f") || Name.contains(".tanh."));
  }
}

/// Whether ptxas may compute I, which LLVM has not, where its operands are
/// constant: of assembly LLVM knows nothing, and ptxas does not know which is
/// volatile.
static bool mayBeFolded(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return !Call->arg_empty() &&
           (Call->isInlineAsm() ||
            (isa<IntrinsicInst>(I) && !Call->mayReadFromMemory()));
  return I.isBinaryOp() || I.isUnaryOp() ||
         isa<CmpInst, CastInst, SelectInst, ExtractValueInst, InsertValueInst,
             ExtractElementInst, InsertElementInst, FreezeInst>(I);
}

/// How many approximate functions F calls with arguments that are constant, by
/// themselves or once ptxas has computed them.
static unsigned numConstantIn(const Function &F) {
  DenseSet<const Value *> Computed;
  auto IsConstant = [&Computed](const Use &U) {
    return isa<Constant>(U) || Computed.contains(U);
  };
  unsigned Num = 0;
  for (const BasicBlock *B : ReversePostOrderTraversal(&F))
    for (const Instruction &I : *B) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!all_of(Call ? Call->args() : I.operands(), IsConstant))
        continue;
      Num += isApproximate(I);
      if (mayBeFolded(I))
        Computed.insert(&I);
    }
  return Num;
}

/// Makes what clang fuses in the source (-ffp-contract=on) what is made of it:
/// LLVM takes the one for a product and a sum, and computes a product of
/// constants by itself.
static void fuseForGood(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Sum = dyn_cast<IntrinsicInst>(&I);
        Sum && Sum->getIntrinsicID() == Intrinsic::fmuladd)
      Sum->setCalledFunction(Intrinsic::getOrInsertDeclaration(
          F.getParent(), Intrinsic::fma, {Sum->getType()}));
}

unsigned numConstant(Function &F, FunctionAnalysisManager &FAM) {
  if (none_of(instructions(F), isApproximate))
    return 0;
  // Code generation finds what hangs on conditions that are constant.
  Function *Folded = copyOf(F);
  SCCPPass().run(*Folded, FAM);
  for (BasicBlock &Block : *Folded)
    FoldSingleEntryPHINodes(&Block);
  unsigned Num = numConstantIn(*Folded);
  FAM.clear(*Folded, Folded->getName());
  Folded->eraseFromParent();
  return Num;
}

SmallVector<CallBase *, 8> keepApproximations(Function &F) {
  fuseForGood(F);
  SmallVector<CallBase *, 8> Kept;
  for (Instruction &I : instructions(F))
    if (isApproximate(I) && !cast<CallBase>(I).isNoBuiltin())
      Kept.push_back(cast<CallBase>(&I));
  for (CallBase *Call : Kept)
    Call->addFnAttr(Attribute::NoBuiltin);
  return Kept;
}

bool changeExactly(Function &F, FunctionAnalyses &Analyses, Roundings Are,
                   bool FusesAll, function_ref<bool()> Change) {
  Function *Before = copyOf(F);
  unsigned NumBefore = numConstant(F, Analyses.get());
  keepApproximations(F);
  // A factor that has become 2 makes a sum of a product.
  bool Changed = Change() && numConstant(F, Analyses.get()) <= NumBefore &&
                 (Are != Roundings::Fixed ||
                  findRoundings(&F, FusesAll) == Roundings::Fixed);
  if (!Changed) {
    Analyses.get().clear(F, F.getName());
    takeBody(F, *Before);
  }
  Before->eraseFromParent();
  return Changed;
}

} // namespace regdem
