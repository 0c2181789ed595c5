//===- BranchJoining.h - two tests become one -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the two sides of a branch are nothing but tests that lead to the same
// places, as of `if (vertical ? y < top : x < left)`, clang leaves three
// branches:
//
//   br %vertical, %a, %b                  %c = fcmp olt %y, %top
//  a: %c = fcmp olt %y, %top              %d = fcmp olt %x, %left
//     br %c, %then, %else             =>  %e = select %vertical, %c, %d
//  b: %d = fcmp olt %x, %left             br %e, %then, %else
//     br %d, %then, %else
//
// The threads of a warp that part at the first of them take turns until they
// meet again. With both tests made by all of them they part once, and ptxas may
// make what follows conditional.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_BRANCHJOINING_H
#define REGDEM_TRANSFORM_BRANCHJOINING_H

#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace regdem {

/// Whether F has a branch with sides that are a few tests only. Costs little.
bool mayHaveJoinableBranches(llvm::Function &F);

/// Whether the threads of a warp may part at one.
bool hasJoinableBranches(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Joins these branches of F; whether it has changed. It stays as it is if the
/// checker (ArrayChecker.h) cannot run it; an error where it finds that F would
/// do something else.
llvm::Expected<bool> joinBranches(llvm::Function &F,
                                  llvm::FunctionAnalysisManager &FAM);

} // namespace regdem

#endif // REGDEM_TRANSFORM_BRANCHJOINING_H
