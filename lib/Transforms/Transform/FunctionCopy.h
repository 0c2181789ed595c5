//===- FunctionCopy.h - a function to try something on ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_FUNCTIONCOPY_H
#define REGDEM_LIB_TRANSFORM_FUNCTIONCOPY_H

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// A copy of F in its module.
llvm::Function *copyOf(llvm::Function &F);

/// Gives F the body of Copy, which then has none.
void takeBody(llvm::Function &F, llvm::Function &Copy);

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_FUNCTIONCOPY_H
