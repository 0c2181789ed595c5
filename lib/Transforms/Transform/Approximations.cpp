//===- Approximations.cpp - functions that only the GPU computes so -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/Approximations.h"

#include "FunctionCopy.h"
#include "regdem/Analysis/FunctionAnalyses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regdem {

/// Whether the GPU computes I so that the value may be another one than that
/// of the function.
static bool isApproximate(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (const auto *Text = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return StringRef(Text->getAsmString()).contains(".approx");
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

/// Whether I is a product with a sum, which LLVM computes without regard for
/// subnormal numbers that are to become zero.
static bool isFused(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && (Call->getIntrinsicID() == Intrinsic::fma ||
                  Call->getIntrinsicID() == Intrinsic::fmuladd);
}

unsigned numConstant(const Function &F) {
  auto IsConstant = [](const Instruction &I) {
    return isApproximate(I) && all_of(cast<CallBase>(I).args(), [](Value *V) {
             return isa<Constant>(V);
           });
  };
  return static_cast<unsigned>(count_if(instructions(F), IsConstant));
}

SmallVector<CallBase *, 8> keepApproximations(Function &F) {
  bool Flushes =
      F.getDenormalMode(APFloat::IEEEsingle()) != DenormalMode::getIEEE();
  SmallVector<CallBase *, 8> Kept;
  for (Instruction &I : instructions(F))
    if ((isApproximate(I) || (Flushes && isFused(I))) &&
        !cast<CallBase>(I).isNoBuiltin())
      Kept.push_back(cast<CallBase>(&I));
  for (CallBase *Call : Kept)
    Call->addFnAttr(Attribute::NoBuiltin);
  return Kept;
}

bool changeExactly(Function &F, FunctionAnalyses &Analyses,
                   function_ref<bool()> Change) {
  Function *Before = copyOf(F);
  unsigned NumBefore = numConstant(F);
  keepApproximations(F);
  bool Changed = Change() && numConstant(F) <= NumBefore;
  if (!Changed) {
    Analyses.get().clear(F, F.getName());
    takeBody(F, *Before);
  }
  Before->eraseFromParent();
  return Changed;
}

} // namespace regdem
