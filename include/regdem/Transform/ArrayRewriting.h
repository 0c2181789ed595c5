//===- ArrayRewriting.h - arrays out of local memory ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the arrays of a function out of local memory, as far as that changes no
// result: loops that go through arrays are unrolled from the outside in, by
// LLVM (UnrollLoop()), until each access has a place of its own, and registers
// or shared memory take the elements. Says of each array what became of it.
// Whether it pays is for the figures of the build to say.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_ARRAYREWRITING_H
#define REGDEM_TRANSFORM_ARRAYREWRITING_H

#include "regdem/Transform/ArrayLowering.h"
#include "regdem/Transform/FixedRounding.h"
#include <string>
#include <vector>

namespace regdem {

enum class ArrayFate {
  Registers, ///< Registers stand for its elements.
  Shared,    ///< In shared memory, each thread's own.
  Parameter, ///< Gone: it was a copy of a parameter.
  Stays,     ///< In local memory.
  SlowPath   ///< There too: it belongs to what hardly ever runs.
};

struct ArrayResult {
  LocalArray Array; ///< As it was; values and blocks in it may be gone.
  ArrayFate Fate = ArrayFate::Stays;
  // Where it stays:
  ScalarObstacle Why = ScalarObstacle::None;
  /// A loop that indexes it runs too often, or it is not known how often.
  bool IsUncounted = false;
  Roundings Are = Roundings::Fixed; ///< Of the function.
  bool IsPart = false;              ///< The rest has left.

  bool leavesLocalMemory() const {
    return Fate != ArrayFate::Stays && Fate != ArrayFate::SlowPath;
  }
  bool hasChanged() const { return leavesLocalMemory() || IsPart; }
};

/// What a rewrite of arrays may do besides.
struct ArrayFreedom {
  SharedRoom Room = {};
  /// Leave open which products are fused with sums.
  bool MayFuseOtherwise = false;
  /// Nothing is rewritten yet, and roundings may be fixed by then.
  bool IsForecast = false;
  bool FusesAll = false; ///< See findRoundings().
};

/// What became of a function's arrays, in the order of findLocalArrays().
struct ArrayRewrite {
  std::vector<ArrayResult> Arrays;
  bool MayFuseOtherwise = false; ///< ArrayFreedom has been made use of.
  bool HasCutCopies = false;     ///< ArrayCopies.h says what for.
  std::string Difference; ///< What the checker says of what was not made.

  /// While it is being checked: what has been made for arrays.
  llvm::SmallVector<llvm::GlobalVariable *, 2> Shared;

  bool hasChanged() const;
};

/// Whether F has an array that is not for hardly ever run code only, and whose
/// address nobody needs, or large copies. Costs little.
bool hasRewritableArrays(llvm::Function &F);

/// Rewrites a copy of F, which takes F's place if it MayTakePlace; F stays as
/// it is if no array leaves local memory and no copy is large, or if the
/// checker (ArrayChecker.h) finds fault. Unless IsChecked, the checker is not
/// asked, which takes most of the time.
ArrayRewrite rewriteArrays(llvm::Function &F,
                           llvm::FunctionAnalysisManager &FAM,
                           const ArrayFreedom &Freedom = {},
                           bool MayTakePlace = true, bool IsChecked = true);

} // namespace regdem

#endif // REGDEM_TRANSFORM_ARRAYREWRITING_H
