//===- KnownDecisions.h - settle kernels by the cache -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_KNOWNDECISIONS_H
#define REGDEM_LIB_BUILDER_KNOWNDECISIONS_H

#include "DecisionKey.h"

namespace regdem {

struct Options;

/// Decisions of earlier compilations for the kernels of one module. They are
/// what was written on the kernels then, so that all that follows is the same.
class KnownDecisions {
public:
  /// For kernels of M, as it is now, that T settles.
  KnownDecisions(const llvm::Module &M, const llvm::TargetMachine &TM,
                 const Tools &T, const Options &CommandLine);

  /// Writes on C's kernel what is known to be settled for it; whether anything
  /// is. C gets the key for keep().
  bool apply(Candidate &C) const;

  /// Keeps what is written on C's kernel. The first failure is told, and is the
  /// last attempt.
  void keep(const Candidate &C);

  /// Bounds the cache; to be called last.
  void prune() const;

private:
  std::optional<DecisionCache> Cache;
  std::optional<DecisionKeys> Keys;
  bool HasKept = false;
};

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_KNOWNDECISIONS_H
