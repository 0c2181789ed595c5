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
// loops are unrolled. Results stay the same where the kernel's roundings are
// fixed (FixedRounding.h).
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_LOOPUNROLLING_H
#define REGDEM_TRANSFORM_LOOPUNROLLING_H

namespace llvm {
class AssumptionCache;
class DominatorTree;
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

/// Whether there are loops that unrollLoops() would unroll: innermost ones that
/// end where a count computed ahead of them says, whose bodies are not huge,
/// and of which the source does not say how to unroll them.
bool hasUnrollable(const LoopAnalyses &Known);

/// Has these loops do UnrolledIterations (Rewrite.h) at once. False if all stay
/// rolled.
bool unrollLoops(const LoopAnalyses &Known);

} // namespace regdem

#endif // REGDEM_TRANSFORM_LOOPUNROLLING_H
