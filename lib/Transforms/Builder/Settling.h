//===- Settling.h - what the tools settle for one kernel --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_SETTLING_H
#define REGDEM_LIB_BUILDER_SETTLING_H

#include "CandidateBuilder.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Builds/ProgramRecord.h"
#include "regdem/Decision/Choice/Effort.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace regdem {

class KnownDecisions;

/// M's kernels.
inline auto kernelsOf(llvm::Module &M) {
  return llvm::make_filter_range(M, isKernel);
}

/// A kernel that builds are to be tried of.
struct Candidate {
  llvm::Function *Kernel = nullptr;
  Options O;
  KernelFacts Facts;
  bool MaySpillToShared = false;
  bool MovesFrames = false;      ///< Frames may move after ptxas.
  std::optional<Objective> Goal; ///< The cap stated for it; none: free choice.
  /// How it is built, where nothing but its frame is open: a profile says so,
  /// or an obstacle stands in the way of other builds.
  std::optional<BuildRecipe> Fixed;
  bool IsToldOf = false;      ///< There will be remarks or a report.
  unsigned Limit = AnyBuilds; ///< Of builds that it may cost.
  /// Of what that allows, shared with the candidates beside this one that have
  /// the same; null: with none.
  std::shared_ptr<PaidBuilds> Paid;
  bool PaysLast = true;               ///< No such search comes after it.
  std::optional<BuildRecipe> InPlace; ///< As in Question.
  bool IsForAnyLaunch = false;        ///< The same.
  /// Of the kernel's code, or of what it is a copy of (KnownDecisions::hashOf).
  std::string Hash;
  std::string Key; ///< Of its decision in the cache; empty: none.
};

/// Whether it is certain that ptxas takes the pragma for spilling to shared
/// memory in kernel F.
bool maySpillToShared(const llvm::Function &F, const KernelFacts &Facts,
                      const Options &O, const llvm::TargetMachine &TM);

/// Whether frames are known to move after ptxas, as far as O lets them.
bool willMoveFrames(const Options &O);

/// The recipe of S, which a profile has settled for a kernel, where Goal is the
/// cap stated then.
BuildRecipe profiledRecipe(const Outcome &S,
                           const std::optional<Objective> &Goal);

/// Whether the host code that launches the kernels is known to choose among
/// their builds.
bool choosesAtLaunch(const Options &O);

/// F with what is known of it; none where it is to be left alone.
std::optional<Candidate> candidate(llvm::Function &F, const Options &O,
                                   const llvm::TargetMachine &TM);

/// What bounds a search of C.
KernelWork workOf(const Candidate &C);

/// What the builds of those of Kernels that are searched may cost, in the file
/// that is M.
FileBudget budgetFor(llvm::ArrayRef<Candidate *> Kernels, const llvm::Module &M,
                     const Options &CommandLine);

/// Says what each of those of Kernels that are searched may cost of Budget.
void setLimits(llvm::ArrayRef<Candidate *> Kernels, const FileBudget &Budget);

/// What is to be known of C's kernel once ptxas has made it: V, whose figures
/// are those with its frame moved.
KernelRecord recordOf(const Candidate &C, const Build &V);

/// The programs that settle a kernel.
struct Tools {
  Ptxas Assembler;
  std::shared_ptr<CompiledTexts> Texts = std::make_shared<CompiledTexts>();
  std::shared_ptr<KnownDecisions> Known = nullptr; ///< Null: no cache.
};

/// A kernel's builds, and what they settle for it.
class KernelSettler {
public:
  /// C is a kernel of M, which T settles.
  KernelSettler(const llvm::Module &M, const llvm::TargetMachine &TM,
                const Candidate &C, const Tools &T);

  /// Runs the searches of Groups, as many groups at a time as Limits allow;
  /// those of a group, which share what they may cost, one after the other.
  /// What a search settles does not depend on other groups.
  static void runAll(llvm::ArrayRef<std::vector<KernelSettler *>> Groups,
                     const ToolLimits &Limits);

  /// What is settled, after runAll(); none, after a warning, where a tool
  /// fails or nothing that may be built goes through ptxas. Where jump tables
  /// are not safe with what comes of it, the kernel is built without; where
  /// stock's build is the rival, all are compared anew.
  std::optional<Outcome> settle();

  /// Whether all tools did their work: another compilation would settle the
  /// same.
  bool isRepeatable() const { return Warnings.empty() && Unread.empty(); }

  /// The PTX of the stock build where code generation makes just that of the
  /// kernel's module and tells the user nothing; none otherwise.
  std::optional<std::string> wholeStockText() {
    return Builds.wholeStockText();
  }

private:
  const llvm::Module &M;
  const llvm::TargetMachine &TM;
  const Candidate &C;
  const Tools &T;
  CandidateBuilder Builds;
  bool MovesFrames;
  std::vector<std::string> Warnings; ///< Yet to be given.
  std::string Unread; ///< A remark to come: some code cannot be read.
  std::optional<Outcome> Result;

  CandidateBuilder newBuilder() const;
  void run(CandidateBuilder &Builder);
  void warn(const CandidateBuilder &From, llvm::StringRef Refusal,
            const char *Consequence, bool IsUnread);
  void settleFrame(CandidateBuilder &Builder);
  bool rebuildChosen();
  bool stateRoundings();
  void noteFusing();
};

/// What is settled for a kernel, and by whom.
struct Settled {
  std::optional<Outcome> Result; ///< None, after a warning, where a tool fails.
  /// Null where the cache has settled it.
  std::unique_ptr<KernelSettler> Settler;
};

/// What T or the cache settles for Kernels, which are of M, in their order.
/// That is written on them, and kept for later compilations.
std::vector<Settled> settleAll(llvm::ArrayRef<Candidate *> Kernels,
                               const llvm::Module &M,
                               const llvm::TargetMachine &TM, const Tools &T,
                               const Options &CommandLine);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_SETTLING_H
