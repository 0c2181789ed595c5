//===- LoopUnrolling.h - several iterations at once -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that loads what it computes with waits for memory once an iteration.
// Several iterations side by side wait once, if there are registers for what
// they have loaded:
//
//   loop: v = in[i]          loop: v0 = in[i]    …   v3 = in[i + 3 * step]
//         sum += v                 sum += v0     …   sum += v3
//         i += step                i += 4 * step
//         if (i < end) loop        if (i < end - 3 * step) loop
//                            rest: one iteration at a time
//
// Where all threads meet in an iteration none is left over; each asks whether
// it is the last. nvcc unrolls more loops than clang does. The unrolling is
// LLVM's own (UnrollLoop()); here is which loops are unrolled. Results stay the
// same where the kernel's roundings are fixed (FixedRounding.h).
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_LOOPUNROLLING_H
#define REGDEM_TRANSFORM_LOOPUNROLLING_H

#include <optional>

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// Of a compare and a branch that an iteration of an unrolled loop saves.
constexpr unsigned BackEdgeInstructions = 2;

class FunctionAnalyses;

/// Whether unrollLoops() would do all iterations of some loop at once; none
/// where all loops stay as they are. It unrolls innermost loops that access
/// memory or meet other threads, whose bodies are not huge and of which the
/// source does not say that they stay as they are. The one exit is at the end
/// of an iteration, and neither clang nor the source has them do several at
/// once, unless they can be unrolled as a whole.
std::optional<bool> unrollsFully(llvm::Function &F, FunctionAnalyses &Analyses);

/// Has these loops of F do UnrolledIterations (Rewrite.h) at once; where
/// threads meet as many as the source asks for, or all; all where their number
/// is known and small. Arrays in local memory that they access are aligned so
/// that neighbouring elements may share an access. False if all loops stay
/// rolled.
bool unrollLoops(llvm::Function &F, FunctionAnalyses &Analyses);

} // namespace regdem

#endif // REGDEM_TRANSFORM_LOOPUNROLLING_H
