//===- CandidateBuilder.h - compile one kernel in several ways --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_CANDIDATEBUILDER_H
#define REGDEM_LIB_BUILDER_CANDIDATEBUILDER_H

#include "CandidateText.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Decision/Choice/Effort.h"
#include "regdem/Decision/Model/CostModel.h"
#include "regdem/Finish/Finisher.h"
#include "regdem/MachineCode/Sass.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace regdem {

/// Where the register cap comes from under which a kernel's builds are built.
enum class CapOrigin {
  Own,   ///< The kernel's launch bounds: the stock build has it, too.
  Asked, ///< RegDem's options or a profile.
  Free   ///< Nobody states one, so that builds bring their own.
};

/// Whether the ptxas that follows is known to make all of a program, not
/// perhaps a part for a linker.
bool endsInWholeProgram(const Options &O);

/// The origin of the cap that Goal states; none: free choice.
inline CapOrigin capOrigin(const std::optional<Objective> &Goal) {
  if (!Goal)
    return CapOrigin::Free;
  return Goal->CapIsNew ? CapOrigin::Asked : CapOrigin::Own;
}

/// A plain build: without demotion and directives.
inline BuildRecipe plain(Rewrite O, InstOrder I = InstOrder::Source) {
  BuildRecipe R; // As the stock compiler builds it otherwise.
  R.Rewrites = O;
  R.Order = I;
  return R;
}

/// Those of MemoryRewrites that change a stock build for which Idle do nothing.
/// Where Limit is low, only those that save accesses.
inline Rewrite memoryRewrites(Rewrite Idle, unsigned Limit) {
  return (Limit < BuildsOfRewrites ? AccessRewrites : MemoryRewrites) & ~Idle;
}

/// V, whose plan is known, with what the assembler says of it, as at Stated.
Build rated(Build V, const PtxasFigures &Figures, const Launch &Stated,
            const SMLimits &Limits);

/// Compiles builds of one kernel to PTX, each in a context of its own, as
/// many at a time as there are cores, and has them assembled; programs that
/// are the same only once. The kernel's module is only read.
class CandidateBuilder {
public:
  /// Texts: shared with other builders for TM.
  CandidateBuilder(
      const llvm::Module &M, const llvm::Function &Kernel,
      const llvm::TargetMachine &TM, CapOrigin CapFrom,
      std::shared_ptr<CompiledTexts> Texts = std::make_shared<CompiledTexts>());

  /// A build for each recipe of Wanted, refused ones among them; none when a
  /// tool failed, which problem() then explains.
  std::optional<std::vector<Build>> build(llvm::ArrayRef<BuildRecipe> Wanted,
                                          const Ptxas &Assembler);

  /// Builds that build() has returned, with their machine code, in their order;
  /// none when it cannot be read, which problem() then explains. MovesFrames:
  /// after them, what those are with their frames moved of which the finisher
  /// will move them.
  std::optional<std::vector<ReadBuild>> readCode(llvm::ArrayRef<Build> Wanted,
                                                 bool MovesFrames);

  /// V, which build() has returned, with its frame moved, as far as can be told
  /// without finishing it. An error says why it stays.
  llvm::Expected<Build> move(const Build &V) const;

  /// The text of the stock build; null, with problem() set, when it cannot be
  /// compiled.
  const CandidateText *stockText();

  /// The register words of what build() may be asked for next; none, with
  /// problem() set, when one cannot be compiled.
  std::optional<std::vector<unsigned>>
  pressures(llvm::ArrayRef<BuildRecipe> Wanted);

  /// Of Single, which leave one pass out each, those that are worth a build and
  /// give the same results to the last bit, for which roundings are fixed where
  /// they would change, or may fuse other products where that is allowed. Each
  /// lowers the pressure by a good part, the least pressure first; where two do
  /// and both together lower it further, these too. Those whose worth does not
  /// show in the pressure come last, if they change anything.
  std::vector<Rewrite> worthwhileRewrites(llvm::ArrayRef<Rewrite> Single,
                                          const Ptxas &Assembler,
                                          PayForProof Pay);

  /// Has build() know Stock, as another builder of the kernel has built it.
  void knowStock(const Build &Stock) { StockBuild = Stock; }

  /// Finds out how the stock build rounds, once. Rewrites that would round in
  /// another way start from a kernel that states it from then on. False where
  /// that cannot be proven or paid for, or code still has products that are
  /// open.
  bool fixRoundings(const Ptxas &Assembler, PayForProof Pay);

  /// What that has found, as setRoundings() takes it; empty: it has not been
  /// asked.
  const std::string &roundings() const { return KnownRoundings; }
  bool areRoundingsUnknown() const {
    return !KnownRoundings.empty() && !knowsRoundings();
  }

  /// Whether O would round in another way than the stock build if roundings
  /// were not fixed.
  bool needsRoundings(Rewrite O) const;

  /// Whether a build with O would round in another way, or might: what ptxas
  /// fuses with sums of other blocks depends on the cap and on what is demoted.
  bool mayRoundOtherwise(Rewrite O);

  /// Has Kernel, which the builds are of, state how the stock build rounds;
  /// false where fixRoundings() is, whatever it costs.
  bool stateRoundings(llvm::Function &Kernel, const Ptxas &Assembler);

  /// Whether a build with O may fuse other products with sums than stock's;
  /// true where it cannot be compiled.
  bool mayFuseOtherwise(Rewrite O);

  /// Whether the stock build may have a frame that is no spill code: variables
  /// in local memory, or functions that it calls.
  bool mayHaveFrame();

  /// The stock build's PTX where code generation makes just that of the
  /// kernel's module and tells the user nothing; none otherwise.
  std::optional<std::string> wholeStockText();

  const std::string &problem() const { return Problem; }

private:
  const llvm::TargetMachine &TM;
  std::shared_ptr<CompiledTexts> Texts;
  std::string KernelName;
  CandidateSource Source;
  CapOrigin CapFrom;
  Options Opts;               ///< With the cap that a profile states.
  bool IsWholeModule = false; ///< Source has all that the kernel's module has.
  bool Relocatable = false;
  /// The kernel calls functions under a cap that stock does not have, and the
  /// program may be linked from parts: ptxas then refuses a callee that needs
  /// more registers than the kernel's cap, and candidates must pass both ways.
  bool MustLinkBothWays = false;
  KernelFacts Facts;
  Launch Stated;
  FinishSettings Finishing;   ///< How frames of builds may move.
  bool HasOpenRoundings;      ///< By the kernel's IR (findRoundings).
  std::string KnownRoundings; ///< Of the stock build; empty: not asked.
  CandidateSource Fixed;      ///< Source with these, where they are known.
  std::string Problem;
  /// Builds without demotion and without directives of ours. Stock's leaves
  /// nothing out and has the source's order.
  std::map<BuildRecipe, CandidateText> Plain;
  std::optional<Build> StockBuild; ///< Once it is there.
  /// Of all builds; there once code is read, which is stock's at first.
  std::optional<Summarizer> Summaries;

  /// CompiledTexts::compile() of the kernel.
  llvm::Expected<const CandidateText &> compile(const BuildRecipe &Wanted,
                                                bool InOneGo) const;
  /// compile() for all of Wanted, as many at a time as there are cores. Makes
  /// Plain[R] for each plain one R that can be compiled. None, with problem()
  /// set, when one cannot.
  std::optional<std::vector<CandidateText>>
  compileAll(llvm::ArrayRef<BuildRecipe> Wanted);
  bool isExact(Rewrite O) const;
  Rewrite ifNotIdle(Rewrite O, Rewrite Idle);
  bool knowsRoundings() const;
  bool isLikePlain(const BuildRecipe &R);
  /// The texts of Wanted; none, with problem() set, when one cannot be made.
  std::optional<std::vector<CandidateText>>
  textsOf(llvm::ArrayRef<BuildRecipe> Wanted);
  /// The figures of Texts; none, with problem() set, when ptxas fails.
  std::optional<std::vector<PtxasFigures>>
  assemble(llvm::ArrayRef<CandidateText> Texts, const Ptxas &Assembler);
  Ptxas::Job jobFor(const CandidateText &Text, bool IsRelocatable,
                    bool KeepCode) const;
};

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_CANDIDATEBUILDER_H
