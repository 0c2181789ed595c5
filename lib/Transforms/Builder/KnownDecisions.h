//===- KnownDecisions.h - settle kernels by the cache -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two compilations that come to the same key for a kernel settle the same for
// it. All that may make a difference counts; what does not, such as paths,
// names and the number of jobs, is left out, so that machines can share a
// cache.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_KNOWNDECISIONS_H
#define REGDEM_LIB_BUILDER_KNOWNDECISIONS_H

#include "DecisionCache.h"
#include "regdem/Analysis/KernelHash.h"
#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace regdem {

struct Candidate;
struct Tools;

/// Decisions of earlier compilations for the kernels of one module. They are
/// what was written on the kernels then, so that all that follows is the same.
class KnownDecisions {
public:
  /// For kernels of M, as it is now, that T settles. Of a cache that is refused
  /// they are none, and none is kept.
  KnownDecisions(const llvm::Module &M, const llvm::TargetMachine &TM,
                 const Tools &T);

  /// Writes on the kernels of Group, which share what they may cost, what is
  /// known to be settled for all of them; whether that is. They get their keys
  /// for keep().
  bool apply(llvm::ArrayRef<Candidate *> Group) const;

  /// Keeps what is written on C's kernel, and bounds the cache. The first
  /// failure is told, and is the last attempt.
  void keep(const Candidate &C);

private:
  std::shared_ptr<const DecisionCache> Cache; ///< Null: not used.
  std::optional<KernelHasher> Hasher; ///< None: it is not known what counts.
  std::string Common; ///< What counts and is the same for all kernels.

  /// The key of C, which is of Group; empty where there is none.
  std::string keyOf(const Candidate &C,
                    llvm::ArrayRef<Candidate *> Group) const;
};

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_KNOWNDECISIONS_H
