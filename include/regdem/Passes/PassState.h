//===- PassState.h - what the passes of one pipeline share ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trial is a kernel that is compiled in memory to be looked at. Whoever does
// so adds a PassState to the pass manager, which tells the passes how the
// kernel is to be built and takes what they find. In final code generation the
// pass manager makes one by itself, and kernels' attributes say how they are
// built.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_PASSES_PASSSTATE_H
#define REGDEM_PASSES_PASSSTATE_H

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Pass.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// What passes find out of a trial and no figure of the assembler shows.
struct TrialNotes {
  PlanFigures Planned;
  bool HasCrossBlockFMA = false; ///< See hasCrossBlockFMA().
  bool UnrollsFully = false;     ///< See unrollsFully().
  /// See hasContractibleFMul(): the kernel, or what it runs.
  bool HasContractibleFMul = false;
  bool FusesOtherwise = false; ///< See noteFusing().
  /// The rewrites that have nothing to do: a build with them is the same.
  Rewrite Idle = ~Rewrite::None;

  void noteChange(Rewrite By) { Idle &= ~By; }
};

class PassState : public llvm::ImmutablePass {
public:
  static inline char ID = 0;
  PassState() : ImmutablePass(ID) {} ///< Of final code generation.
  /// Of a trial of Kernel, for which Settled is settled. Notes must outlive it.
  PassState(const llvm::Function &Kernel, Outcome Settled, TrialNotes &Notes)
      : ImmutablePass(ID), Kernel(&Kernel), Run(functionsRunBy(Kernel)),
        Settled(std::move(Settled)), Notes(&Notes) {}

  /// Where F is on trial, what is to be noted of it; null elsewhere.
  TrialNotes *notesOn(const llvm::Function &F) const {
    return &F == Kernel ? Notes : nullptr;
  }

  /// Where F may run in the kernel on trial, the notes on that; null elsewhere.
  TrialNotes *notesOnRun(const llvm::Function &F) const {
    return Run.contains(&F) ? Notes : nullptr;
  }

  /// What is settled for F; none where nothing is.
  std::optional<Outcome> settled(const llvm::Function &F) const;

  /// The rewrites of F, by that and by the options.
  Rewrite rewritesOf(const llvm::Function &F) const;

  /// Notes that F's rewrites Idle had nothing to do: F says what was done to
  /// it.
  void dropRewrites(llvm::Function &F, Rewrite Idle) const;

  /// Notes that other products of F may be fused with sums than in the stock
  /// build.
  void noteFusing(llvm::Function &F) const;

  /// Whether LLVM fuses F's sums whatever flags they have.
  bool fusesAll(const llvm::Function &F) const;

  /// Whether the target machine is told to fuse all sums, found out ahead of
  /// code generation, during which that changes.
  bool MachineFusesAll = false;
  /// Functions that are optnone until the pass that they skip is over.
  llvm::SmallPtrSet<const llvm::Function *, 4> Suspended;
  /// Hashes of the kernel on trial before passes that may be skipped.
  std::map<Rewrite, uint64_t> Before;
  /// For the report: what has become of arrays of functions.
  std::map<const llvm::Function *, llvm::json::Array> Arrays;

private:
  const llvm::Function *Kernel = nullptr; ///< On trial; null: none is.
  const llvm::SmallPtrSet<const llvm::Function *, 8> Run; ///< By that.
  const Outcome Settled;
  TrialNotes *Notes = nullptr;
};

/// Whether rewrites of F may change which of its products are fused with sums.
bool mayFuseOtherwise(const llvm::Function &F);

} // namespace regdem

#endif // REGDEM_PASSES_PASSSTATE_H
