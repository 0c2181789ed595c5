//===- PtxKernel.h - a kernel of a PTX file ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_PTXKERNEL_H
#define REGDEM_LIB_BUILDER_PTXKERNEL_H

#include "regdem/Analysis/PtxFacts.h"
#include "regdem/Analysis/PtxGraph.h"
#include "regdem/Builder/SettlePtx.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Decision/Choice/Effort.h"
#include "regdem/Decision/Choice/Search.h"
#include "regdem/Decision/Plan/DemotionPlan.h"
#include "regdem/MachineCode/PtxText.h"
#include "regdem/Options.h"

namespace regdem {

/// What all builds of a kernel but ptxas's own state of open products, which is
/// proven to be how that one rounds.
enum class PtxRounding { None, Apart, Fused };

/// A kernel of a PTX file, which must outlive it.
struct PtxKernel {
  const PtxFile *File = nullptr;
  PtxFacts Facts;
  Options O;
  const SMLimits *Limits = nullptr;  ///< Null: not known.
  std::optional<Objective> Goal;     ///< The cap that is stated for it.
  Obstacle Because = Obstacle::None; ///< Why other builds are not tried.
  bool IsHeld = false;        ///< To Goal, with nothing else tried: Because.
  bool IsRelocatable = false; ///< As in PtxProgram.
  bool IsOptedOut = false;    ///< Its frame stays, too.
  const NotedLaunches *Noted = nullptr; ///< As in Question.
  unsigned Limit = AnyBuilds;           ///< Of builds that it may cost.
  Build Stock; ///< As ptxas's own program has it; spill code is not known yet.
  /// Of which values are demoted; null where none can be.
  std::shared_ptr<const PtxGraph> Graph;
  std::string NoGraph; ///< Why not, where that lies in its PTX.

  // What is settled for it.
  std::optional<Outcome> Result; ///< None: a tool failed, as Problem says.
  PtxRounding Rounding = PtxRounding::None;
  std::string Key; ///< In the cache; empty: none.
  std::string Problem;
  bool IsUnread = false; ///< Problem is an instruction that is not known.
  std::string Fault;     ///< What the checker found in a demotion.

  Promises promises() const;
  /// What states R in its PTX.
  std::vector<PtxEdit> editsFor(PtxRounding R) const;
  void readGraph();
  /// The recipe under its cap alone, if it has one.
  BuildRecipe cappedAlone() const;
  /// The plan of R, which demotes.
  const DemotionPlan &planFor(const BuildRecipe &R) const;

private:
  mutable std::map<BuildRecipe, DemotionPlan> Plans; ///< Made so far.
};

/// The kernel F of File, which is P's PTX, as O and P say; Its figures are
/// those of ptxas's own program. An error is about an option.
llvm::Expected<PtxKernel> readPtxKernel(const PtxProgram &P,
                                        const PtxFile &File,
                                        const PtxFunction &F, const Options &O,
                                        const KernelFigures &Its);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_PTXKERNEL_H
