//===- StockStudy.h - a kernel's stock build, before launches ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a kernel's launches are worth builds of their own shows in its stock
// build. To generate that takes about as long as all that clang does to the
// kernel; so what it shows is kept in the cache, and asked for there first.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_STOCKSTUDY_H
#define REGDEM_LIB_BUILDER_STOCKSTUDY_H

#include "Settling.h"

namespace regdem {

enum class Missed;

/// What a stock build shows.
struct StockNotes {
  unsigned Pressure = 0; ///< Words that are live at once, before ptxas.
  unsigned Idle = 0;     ///< As in TrialNotes; the number of a Rewrite.
  bool HasContractibleFMul = false; ///< As in TrialNotes.
  std::string Roundings;            ///< CandidateBuilder::roundings().
  bool WereRead = false;            ///< They are not the usual ones.
};

/// The stock build of one kernel. It is generated if the cache does not know of
/// it, or not enough.
class StockStudy {
public:
  /// C is a kernel of M, for which no limit is set yet. C, M, TM and T are
  /// referred to.
  StockStudy(Candidate &C, const llvm::Module &M, const llvm::TargetMachine &TM,
             const Tools &T);

  /// Null where the kernel cannot be compiled.
  const StockNotes *notes();

  /// The rewrites that make accesses to memory fewer, as far as C's limit,
  /// which is set now, allows.
  Rewrite memoryRewrites() const;

  /// Why C's kernel gets no builds for launches: they have to give the same
  /// bits, whether ptxas decides nothing of that or what it decides is found
  /// out, which counts as builds, too. Has C know it then. There are notes().
  std::optional<Missed> prove();

private:
  Candidate &C;
  const llvm::Module &M;
  const llvm::TargetMachine &TM;
  const Tools &T;
  std::string Key; ///< Of the notes in the cache; empty: none.
  std::optional<StockNotes> Notes;
  std::unique_ptr<CandidateBuilder> Builder; ///< Null: not needed so far.

  CandidateBuilder &builder();
  void keep();
};

/// A kernel that may have builds for launches.
struct StudiedKernel {
  Candidate *C;
  std::optional<StockStudy> Stock; ///< None: nothing is left for its builds.
  bool IsLimited = true; ///< False: there is nothing to gain at any launch.
};

/// Studies the stock builds of Kernels as far as Budget, of which two builds
/// are reserved for each that may gain, allows.
void studyStock(llvm::MutableArrayRef<StudiedKernel> Kernels,
                FileBudget &Budget, const llvm::Module &M,
                const llvm::TargetMachine &TM, const Tools &T);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_STOCKSTUDY_H
