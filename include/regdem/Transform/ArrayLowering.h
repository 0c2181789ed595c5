//===- ArrayLowering.h - arrays become registers, or shared -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the accesses to an array in local memory, by what they ask for:
//
// Registers, one for each element or, of narrow ones, for several. What is read
// is selected by the bits of the index; what is written goes to one of them:
//
//   %at = getelementptr i32, ptr %a, i32 %i     %odd = icmp ne (%i & 1), 0
//   %x = load i32, ptr %at                  =>  %low = select %odd, %a1, %a0
//                                               %high = select %odd, %a3, %a2
//                                               %x = select (%i & 2) ...
//
// Shared memory, where each thread would have to select from many registers.
// Element i of thread t is at i * threads + t: threads never meet in a bank.
//
// It is legal only where each access is known to be within the array: stock
// code that is not reads another variable's memory.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_ARRAYLOWERING_H
#define REGDEM_TRANSFORM_ARRAYLOWERING_H

#include "regdem/Analysis/LocalArrays.h"
#include "regdem/Constants.h"

namespace llvm {
class AssumptionCache;
class DominatorTree;
class GlobalVariable;
} // namespace llvm

namespace regdem {

/// Why an array does not become registers.
enum class ScalarObstacle {
  None,
  InMemory,    ///< LocalArray::Obstacle has the reason.
  OutOfBounds, ///< An access may be outside.
  Elements,    ///< Accesses that overlap in part, or of no simple type.
  TooLarge,    ///< More elements, or selects, than pay.
  Approximate, ///< Of constants that there would be the GPU computes others.
  Unchecked,   ///< The checker cannot run the code.
  Differs      ///< The checker says that the rewritten code does other things.
};

ScalarObstacle findScalarObstacle(const LocalArray &Array);

/// Shared memory that arrays may take.
struct SharedRoom {
  unsigned Threads = 0; ///< That a block has at most; 0: not known.
  uint64_t Bytes = 0;   ///< Of a block.
  /// Instructions of one access from which on shared memory is better.
  uint64_t LeastSelects = Tuned.SelectsWorthShared;
};

/// Whether Array is better off in shared memory than in registers, and fits.
bool isBetterShared(const LocalArray &Array, const SharedRoom &Room);

/// Places it there; Room becomes less. The variable gets this Name.
llvm::GlobalVariable *lowerToShared(const LocalArray &Array, SharedRoom &Room,
                                    llvm::StringRef Name);

/// Has registers stand for Array, which has no obstacle; deletes its memory.
void lowerToRegisters(const LocalArray &Array, llvm::DominatorTree &Dominators,
                      llvm::AssumptionCache &Assumptions);

} // namespace regdem

#endif // REGDEM_TRANSFORM_ARRAYLOWERING_H
