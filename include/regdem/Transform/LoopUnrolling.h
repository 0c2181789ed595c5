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
// loops are unrolled, and that no result changes by it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_LOOPUNROLLING_H
#define REGDEM_TRANSFORM_LOOPUNROLLING_H

#include <optional>

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

/// Loops that unrollLoops() would unroll: innermost ones that end
/// where a count computed ahead of them says, whose bodies are not huge, and of
/// which the source does not say how to unroll them. None whose arithmetic
/// might round in another way then (LoopUnrolling.cpp), but where other
/// products MayFuse with sums.
unsigned countUnrollable(const LoopAnalyses &Known, bool MayFuseOtherwise);

/// Operations of floating point in IR, fused ones as both.
struct Arithmetic {
  unsigned Products = 0, Sums = 0;
};

/// What has become of loops.
struct UnrolledCode {
  /// What countArithmetic() must say from now on: other numbers mean that
  /// iterations have something in common or are known too well, so that other
  /// products may be fused.
  Arithmetic Expected;
  bool MayFuseOtherwise = false; ///< They may be so as it is.
};

/// Has these loops of F do UnrolledIterations (Rewrite.h) at once. None where
/// no loop is unrolled.
std::optional<UnrolledCode> unrollLoops(llvm::Function &F,
                                        const LoopAnalyses &Known,
                                        bool MayFuseOtherwise);

Arithmetic countArithmetic(const llvm::Function &F);

} // namespace regdem

#endif // REGDEM_TRANSFORM_LOOPUNROLLING_H
