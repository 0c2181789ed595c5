//===- InvariantBranches.h - branches that leave a loop ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang inlines the functions of CUDA's mathematical library before it looks
// for what is the same in all iterations of a loop. Those with a slow path, as
// sin() for huge arguments, are branches then, and LLVM's passes move no
// branches; nvcc moves the call:
//
//   loop: c = x > huge                  c = x > huge
//         if (c) r1 = slow(x)           if (c) r1 = slow(x)
//         else r2 = x * …          =>   else r2 = x * …
//         r = phi(r1, r2)               r = phi(r1, r2)
//         sum += a[i] * f(r)            s = f(r)
//                                 loop: sum += a[i] * s
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_INVARIANTBRANCHES_H
#define REGDEM_TRANSFORM_INVARIANTBRANCHES_H

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

class FunctionAnalyses;

/// Whether hoistInvariantBranches() would change F.
bool hasInvariantBranches(llvm::Function &F);

/// Moves branches of which the way is the same in all iterations of a loop
/// ahead of it, with all that they lead to and what is computed from that, if
/// it is without effects and done in each iteration; whether there are any. F
/// is simplified again then: loops may have become small enough to be unrolled.
/// Sums of products may come apart: results stay the same where F's roundings
/// are fixed (FixedRounding.h).
bool hoistInvariantBranches(llvm::Function &F, FunctionAnalyses &Analyses);

} // namespace regdem

#endif // REGDEM_TRANSFORM_INVARIANTBRANCHES_H
