//===- CalledFunctions.h - what a kernel calls ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that clang leaves as calls. ptxas makes a copy of each for each
// kernel of a whole program, in the kernel's section and under its cap, so that
// they are as much part of a kernel as its own code.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_CALLEDFUNCTIONS_H
#define REGDEM_ANALYSIS_CALLEDFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace regdem {

using CalledFunctions = llvm::SetVector<llvm::Function *>;

/// The functions with a body that Root calls by name, that these call, and so
/// on, in the order in which they are found; Root itself where it is called.
CalledFunctions calledFunctions(const llvm::Function &Root);

/// Root, and then what calledFunctions() finds but for Root.
llvm::SmallVector<llvm::Function *, 4>
withCalledFunctions(llvm::Function &Root);

/// Whether one of Called, which are all that calledFunctions() finds, may call
/// itself, directly or through others.
bool mayCallThemselves(const CalledFunctions &Called);

using UsedVariables = llvm::SmallPtrSet<const llvm::GlobalVariable *, 16>;

/// The variables of M that code of Functions uses, directly or through
/// constants. One in another's initialiser counts, since it could be read by
/// anything, but not in LLVM's lists of what is to be kept.
UsedVariables usedVariables(llvm::ArrayRef<const llvm::Function *> Functions,
                            const llvm::Module &M);

} // namespace regdem

#endif // REGDEM_ANALYSIS_CALLEDFUNCTIONS_H
