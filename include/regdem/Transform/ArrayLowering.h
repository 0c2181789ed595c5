//===- ArrayScalars.h - arrays become registers -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array of a few elements that data indexes becomes as many registers. What
// an access reads is selected by the bits of the index, and what it writes goes
// to the register whose number the index is:
//
//   %at = getelementptr i32, ptr %a, i32 %i     %odd = icmp ne (%i & 1), 0
//   %x = load i32, ptr %at                  =>  %low = select %odd, %a1, %a0
//                                               %high = select %odd, %a3, %a2
//                                               %x = select (%i & 2) ...
//
// Elements of one or two bytes may share a register: it is selected in the same
// way, and the element shifted out of it, or put in its place there.
//
// It is legal only where each access is known to be within the array: stock
// code that is not reads another variable's memory.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_ARRAYSCALARS_H
#define REGDEM_TRANSFORM_ARRAYSCALARS_H

#include "regdem/Analysis/LocalArrays.h"

namespace llvm {
class AssumptionCache;
class DominatorTree;
class GlobalVariable;
} // namespace llvm

namespace regdem {

/// Why an array cannot become registers.
enum class ScalarObstacle {
  None,
  InMemory,    ///< LocalArray::Obstacle has the reason.
  OutOfBounds, ///< An access may be outside.
  Elements,    ///< Accesses that overlap in part, or of no simple type.
  TooLarge,    ///< More elements, or selects, than pay.
  Unchecked,   ///< The checker cannot run the code.
  Differs      ///< The checker says that the rewritten code does other things.
};

ScalarObstacle findScalarObstacle(const LocalArray &Array);

/// Shared memory that arrays may take.
struct SharedRoom {
  unsigned Threads = 0; ///< That a block has at most; 0: not known.
  uint64_t Bytes = 0;   ///< Of a block.
};

/// Whether Array, which data index, may go to shared memory: element i of
/// thread t is at i * Threads + t there, so that threads never meet in a bank.
bool mayBeShared(const LocalArray &Array, const SharedRoom &Room);

/// Has it go there; Room becomes less. The variable gets this Name.
llvm::GlobalVariable *makeShared(const LocalArray &Array, SharedRoom &Room,
                                 llvm::StringRef Name);

/// Bytes of a register, which narrower elements may share.
inline constexpr unsigned WordBytes = 4;

/// Whether several elements of Array, which data index, may share a register.
bool mayBePacked(const LocalArray &Array);

/// Has registers stand for Array, which has no obstacle, or may be packed if
/// Packs; deletes its memory.
void makeScalars(const LocalArray &Array, llvm::DominatorTree &Dominators,
                 llvm::AssumptionCache &Assumptions, bool Packs = false);

} // namespace regdem

#endif // REGDEM_TRANSFORM_ARRAYSCALARS_H
