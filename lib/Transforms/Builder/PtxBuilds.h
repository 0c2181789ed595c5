//===- PtxBuilds.h - builds of a kernel's PTX -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_PTXBUILDS_H
#define REGDEM_LIB_BUILDER_PTXBUILDS_H

#include "PtxKernel.h"
#include "regdem/Finish/Finisher.h"

namespace regdem {

/// What V, a build of K, changes in PTX. One whose frame has moved, or whose
/// values are demoted, has to state how many threads there are, or larger
/// launches would go beyond their memory; and then the registers that it has by
/// itself, which ptxas would derive from the threads. Rounding: as in K, where
/// that is not known yet.
PtxChange changeFor(const Build &V, const PtxKernel &K, PtxRounding Rounding);

/// Holds PTX in which K's kernel has been changed for V against the same
/// without the demotion, if there is one (checkPtxDemotion()).
llvm::Error checkChange(const Build &V, const PtxKernel &K,
                        PtxRounding Rounding);

/// Builds of a kernel that differ in the directives of its PTX, and in what it
/// demotes.
class PtxBuilds final : public BuildSource {
public:
  PtxBuilds(const PtxKernel &K, const Ptxas &Assembler);

  std::optional<std::vector<Build>>
  make(llvm::ArrayRef<BuildRecipe> Wanted) override;
  size_t left() const override { return Count.left(); }
  bool endedEarly() const { return Count.endedEarly(); }
  std::optional<std::vector<ReadBuild>>
  read(llvm::ArrayRef<Build> Made) override;
  /// Code is neither rewritten nor ordered.
  std::vector<Rewrite> worthwhile(llvm::ArrayRef<Rewrite>) override {
    return {};
  }
  std::optional<std::vector<unsigned>>
  pressures(llvm::ArrayRef<BuildRecipe>) override {
    return std::nullopt;
  }

  /// Whether the frame of V, which read() has returned, moves as it says, all
  /// checks included.
  bool moves(const Build &V) const;

  bool MovesFrames;
  PtxRounding rounding() const { return Rounding; }

  std::string Problem;      ///< Of a tool; empty: none.
  bool IsUnread = false;    ///< It is an instruction that is not known.
  std::string Fault;        ///< That the checker found in a demotion.
  std::string FirstRefusal; ///< By ptxas; empty: it takes all.

private:
  Build planned(const BuildRecipe &R);
  std::optional<std::vector<Build>>
  assemble(llvm::ArrayRef<BuildRecipe> Wanted);
  bool assembleStock(Build &Stock);
  Ptxas::Job jobFor(const PtxChange &Change) const;
  std::optional<std::string> programWith(std::vector<PtxEdit> Body) const;
  void proveRoundings();
  std::string whyUnsafe(const Build &V) const;
  std::optional<Build> withThreads(Build V);
  std::optional<ReadBuild> moved(const Build &V, SassKernel Code);

  const PtxKernel &K;
  const Ptxas &Assembler;
  FinishSettings Finishing;
  PaidBuilds Paid;
  PaidBuilds::Share Count;
  std::optional<bool> ProductsAreSafe; ///< Unset: not asked.
  PtxRounding Rounding = PtxRounding::None;
  Summarizer Summaries;
};

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_PTXBUILDS_H
