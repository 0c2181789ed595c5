//===- LoopUnrolling.h - several iterations at once -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that loads what it computes with waits for memory once an iteration.
// Four iterations side by side wait once for four, if there are registers for
// what they have loaded. clang unrolls bodies of some 37 instructions at most,
// nvcc larger ones. The unrolling is LLVM's own (UnrollLoop()); here is which
// loops are unrolled. So that no result changes by it, the kernel's roundings
// are written down before (FixedRounding.h).
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_LOOPUNROLLING_H
#define REGDEM_TRANSFORM_LOOPUNROLLING_H

namespace llvm {
class AssumptionCache;
class DominatorTree;
class Function;
class LoopInfo;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace regdem {

/// Of a compare and a branch that an iteration of an unrolled loop saves.
constexpr unsigned BackEdgeInstructions = 2;

/// What LLVM knows of a function, and keeps up to date.
struct LoopAnalyses {
  llvm::LoopInfo &Loops;
  llvm::ScalarEvolution &Evolution;
  llvm::DominatorTree &Dominators;
  llvm::AssumptionCache &Assumptions;
  const llvm::TargetTransformInfo &Costs;
};

/// Whether F has loops that unrollLoops() would unroll: innermost ones that end
/// where a count computed ahead of them says, whose bodies are not huge, and of
/// which the source does not say how to unroll them. None whose arithmetic
/// might round in another way then (FixedRounding.h), but where other products
/// MayFuse with sums.
bool hasUnrollable(llvm::Function &F, const LoopAnalyses &Known,
                   bool MayFuseOtherwise);

/// What has become of loops.
enum class Unrolled {
  None,          ///< All stay rolled.
  Exact,         ///< Some are unrolled and compute what they did, bit by bit.
  FusedOtherwise ///< Some may have other products fused with sums.
};

/// Has these loops of F do UnrolledIterations (Rewrite.h) at once.
Unrolled unrollLoops(llvm::Function &F, const LoopAnalyses &Known,
                     bool MayFuseOtherwise);

} // namespace regdem

#endif // REGDEM_TRANSFORM_LOOPUNROLLING_H
