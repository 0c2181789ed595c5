//===- CallInlining.h - calls become part of a kernel -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang leaves large functions as calls where nvcc inlines them. A call keeps
// arrays that it gets an address of in local memory, and values that live
// across it in few registers. This inlines all that a kernel calls, and has it
// simplified again. What the source says not to inline (__noinline__) stays a
// call, as do functions of other files, those that are called through pointers,
// and those that may call themselves. ptxas inlines nothing, so that no product
// of one function is fused with a sum of another one before. So that none is
// afterwards, stock's roundings have to be written down (FixedRounding.h).
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_CALLINLINING_H
#define REGDEM_TRANSFORM_CALLINLINING_H

#include "regdem/Transform/FixedRounding.h"
#include <optional>

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

class FunctionAnalyses;

/// Has LLVM's passes at F once more that clang runs on a function behind its
/// inliner, and of those that it runs on the module then the ones that find
/// something in such code: loops may have become small enough to be unrolled
/// completely, or arrays constant in them. UnrollsMore: some may also do
/// several iterations at once, as clang has yet to decide.
void simplifyAgain(llvm::Function &F, FunctionAnalyses &Analyses,
                   bool UnrollsMore);

/// Whether inlineCalls() would inline something once roundings are fixed.
bool hasInlinableCalls(llvm::Function &Kernel, FunctionAnalyses &Analyses);

/// Inlines calls of Kernel, unless it would get very large, or that might
/// change its roundings (findRoundings()) and it is not so that it
/// MayFuseOtherwise (Options.h), or arguments of approximate functions.
/// Other functions stay as they are. How sure the code's roundings were; none:
/// Kernel is as it was.
std::optional<Roundings> inlineCalls(llvm::Function &Kernel,
                                     FunctionAnalyses &Analyses,
                                     bool MayFuseOtherwise, bool FusesAll);

} // namespace regdem

#endif // REGDEM_TRANSFORM_CALLINLINING_H
