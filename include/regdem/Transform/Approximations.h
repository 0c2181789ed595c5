//===- Approximations.h - what only the GPU computes so ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The GPU computes sqrt.approx(5) as 0x400f1bbc (H200). LLVM and ptxas, which
// compute it where 5 is a constant, make 0x400f1bbd of it. So no rewrite may
// make arguments of such functions constant:
//
//   for (int I = 0; I < 24; ++I)            // unrolled: sqrtf(5.0f) and others
//     Table[I] = sqrtf(float(I));
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_APPROXIMATIONS_H
#define REGDEM_TRANSFORM_APPROXIMATIONS_H

#include "regdem/Transform/FixedRounding.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace regdem {

class FunctionAnalyses;

/// How many approximate functions F calls with constant arguments alone, once
/// code generation and ptxas have found constants.
unsigned numConstant(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Has LLVM leave F's approximate functions, and what is fused in the source.
/// The calls that were not left before.
llvm::SmallVector<llvm::CallBase *, 8> keepApproximations(llvm::Function &F);

/// Has Change change F, and tells what that does. False, and F is as it was,
/// where arguments of approximate functions become constant, or code whose
/// roundings Are fixed has open ones (findRoundings() with FusesAll).
bool changeExactly(llvm::Function &F, FunctionAnalyses &Analyses, Roundings Are,
                   bool FusesAll, llvm::function_ref<bool()> Change);

} // namespace regdem

#endif // REGDEM_TRANSFORM_APPROXIMATIONS_H
