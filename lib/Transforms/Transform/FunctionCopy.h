//===- FunctionCopy.h - a function beside what becomes of it ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is rewritten and then compared with what it was, or given up.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_FUNCTIONCOPY_H
#define REGDEM_LIB_TRANSFORM_FUNCTIONCOPY_H

#include "llvm/Transforms/Utils/Cloning.h"

namespace regdem {

/// A copy of F in its module.
llvm::Function *copyOf(llvm::Function &F, llvm::ValueToValueMapTy &Map);

/// Gives F the body of Copy, which then has none.
void takeBody(llvm::Function &F, llvm::Function &Copy);

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_FUNCTIONCOPY_H
