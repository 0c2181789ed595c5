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

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace regdem {

struct Candidate;
struct Tools;

/// What earlier compilations have found of the kernels of one module.
/// Decisions are what was written on the kernels then, so that all that follows
/// is the same.
class KnownDecisions {
public:
  /// For kernels of M, as it is now, that TM and Assembler settle. Of a cache
  /// that is refused they are none, and none is kept.
  KnownDecisions(DecisionCache Cache, const llvm::Module &M,
                 const llvm::TargetMachine &TM, const Ptxas &Assembler);

  /// DecisionCache::refusal().
  const std::string &refusal() const { return Cache.refusal(); }

  /// The hash of C's kernel, which is one of the module's; empty where it is
  /// not known what counts.
  std::string hashOf(const Candidate &C) const;

  /// The key of what the stock build of C shows; empty where there is none.
  std::string keyOfStock(const Candidate &C) const;

  /// What is kept under Key; none where nothing is, or Key is empty.
  std::optional<std::string> find(llvm::StringRef Key) const;

  /// Writes on the kernels of Group, which share what they may cost, what is
  /// known to be settled for all of them; whether that is. They get their keys
  /// for keep().
  bool apply(llvm::ArrayRef<Candidate *> Group) const;

  /// Keeps Text under Key, unless that is empty, and bounds the cache. The
  /// first failure is told on Kernel, and is the last attempt.
  void keep(const llvm::Function &Kernel, llvm::StringRef Key,
            llvm::StringRef Text);

private:
  DecisionCache Cache;
  bool Fails = false;                 ///< It has failed to keep something.
  std::optional<KernelHasher> Hasher; ///< None: it is not known what counts.
  std::string Common; ///< What counts and is the same for all kernels.

  std::string keyOf(const Candidate &C, llvm::StringRef What) const;
  std::string keyOf(const Candidate &C,
                    llvm::ArrayRef<Candidate *> Group) const;
};

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_KNOWNDECISIONS_H
