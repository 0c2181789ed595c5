//===- Rewrite.h - other ways to generate a kernel's code -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM leaves registers to ptxas, and some of its passes lengthen live ranges
// without an eye for them. Others could shorten latency with registers to
// spare. A rewrite undoes the one or does the other; it never changes a result.
// For some kernels the same passes save registers, so that each rewrite is one
// more build to try. Each has one name, in options, attributes, reports and
// documents.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_REWRITE_H
#define REGDEM_DECISION_BUILDS_REWRITE_H

#include "llvm/ADT/BitmaskEnum.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace regdem {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

/// Iterations that a loop does at once where loops are unrolled.
inline constexpr unsigned UnrolledIterations = 4;

/// Iterations of a loop that is worth unrolling completely for an array: one
/// that they all go through has as many elements.
inline constexpr unsigned MostUnrolledFully = 64;

/// One rewrite, or a set of them.
enum class Rewrite : uint16_t {
  None = 0,
  /// LLVM's loop strength reduction, which keeps a pointer per address pattern
  /// in a register all through a loop, is skipped.
  SkipLoopReduce = 1 << 0,
  /// Machine sinking, which moves a computation to its only reader and makes
  /// all that it reads live until there, is skipped.
  SkipMachineSink = 1 << 1,
  /// Straight-line strength reduction, which computes an address from one that
  /// has to live until then, is skipped.
  SkipSLSR = 1 << 2,
  /// 64-bit products of 32-bit words take them as such (Transform/
  /// WideProducts.h), not as halves of register pairs.
  WideProducts = 1 << 3,
  /// Innermost loops do UnrolledIterations at once (Transform/LoopUnrolling.h).
  UnrollLoops = 1 << 4,
  /// Registers or shared memory take the place of arrays in local memory
  /// (Transform/ArrayLowering.h says which), which may pay whether or not
  /// registers limit a kernel.
  LowerArrays = 1 << 5,
  /// What the kernel calls is inlined (Transform/CallInlining.h).
  InlineCalls = 1 << 6,
  /// Memory is accessed as widely as its alignment allows, matrices in the
  /// address space that is known (Transform/WideAccesses.h), and neighbouring
  /// places by one register (Transform/SharedBases.h).
  CheaperAccesses = 1 << 7,
  /// Branches that lead the same way in all iterations of a loop leave it
  /// (Transform/InvariantBranches.h).
  HoistBranches = 1 << 8,
  LLVM_MARK_AS_BITMASK_ENUM(/*LargestValue=*/HoistBranches)
};

/// Those that make accesses of memory, or what loops do, cheaper.
inline constexpr Rewrite CheaperRewrites =
    Rewrite::CheaperAccesses | Rewrite::HoistBranches;

/// Those that take accesses of memory away.
inline constexpr Rewrite AccessRewrites =
    Rewrite::LowerArrays | Rewrite::CheaperAccesses;

/// Those that may pay whether or not registers limit a kernel, since it waits
/// less for memory.
inline constexpr Rewrite MemoryRewrites =
    AccessRewrites | Rewrite::UnrollLoops | Rewrite::HoistBranches;

/// Those by which products may come apart from their sums, or come to others:
/// results stay the same where the kernel's roundings are fixed.
inline constexpr Rewrite ProductRewrites =
    Rewrite::UnrollLoops | Rewrite::LowerArrays | Rewrite::InlineCalls |
    Rewrite::HoistBranches;

/// Those that may save registers.
inline constexpr Rewrite RegisterRewrites[] = {
    Rewrite::SkipLoopReduce, Rewrite::SkipMachineSink, Rewrite::SkipSLSR};

/// Whether Set has any of Which.
constexpr bool has(Rewrite Set, Rewrite Which) { return any(Set & Which); }

/// The names of Set's rewrites in the order of their bits, separated by commas;
/// empty where there are none.
std::string toString(Rewrite Set);

/// The same in words, as a phrase to follow "built": "without slsr".
std::string describe(Rewrite Set);

/// The set that toString() calls Names; none for any other text.
Rewrite parseRewrites(llvm::StringRef Names);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_REWRITE_H
