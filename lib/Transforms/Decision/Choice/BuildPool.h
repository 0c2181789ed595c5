//===- BuildPool.h - what was built, and its predicted time -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All builds of one kernel, stock first, by their index. Those that are worth
// it are compared: read, predicted, and held against what launches and promises
// ask. What passes is a finalist.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_BUILDPOOL_H
#define REGDEM_LIB_DECISION_CHOICE_BUILDPOOL_H

#include "regdem/Decision/Choice/Search.h"
#include "regdem/Decision/Model/KnownHits.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace regdem {

class BuildPool {
public:
  BuildPool(const Question &Q, BuildSource &From);

  /// Has Wanted made, but for what the budget leaves out; false when that
  /// fails, or stock is refused: then nothing is known to go through.
  bool add(llvm::ArrayRef<BuildRecipe> Wanted);

  size_t size() const { return Builds.size(); }
  const Build &operator[](size_t I) const { return Builds[I]; }
  const Build &stock() const { return Builds.front(); }
  llvm::ArrayRef<Build> builds() const { return Builds; }
  std::vector<Build> take() { return std::move(Builds); }

  /// What builds are compared with: stock, unless told otherwise before the
  /// first comparison.
  const Build &base() const { return Builds[Base]; }
  void setBase(size_t I) { Base = Basis = I; }

  /// Predicts the time of builds at the stated launch and makes them finalists,
  /// but for those of which no block fits an SM, and where the launch is not
  /// known those that some launch would run more slowly than the base. The base
  /// comes first of all. False when the code of one cannot be read.
  bool compare(llvm::ArrayRef<size_t> Indices);

  /// Index of the finalist to build the kernel as.
  size_t fastest() const;
  /// Index of the build that gains most in small grids, if it pays for launches
  /// to take it there; the base's where none does.
  size_t fastestInSmallGrids() const;
  /// Index of the finalist other than the base that is predicted to be fastest;
  /// the base's where there is none.
  size_t bestOther() const;
  /// The prediction for finalist I beside the base.
  Prediction prediction(size_t I) const;

  /// Makes the fastest rewritten finalist, as it is before its frame moves, the
  /// basis: caps and demotion are tried with its rewrites. That stays the base
  /// where none gains more than the margin over it.
  void chooseBasis();
  size_t basisIndex() const { return Basis; }
  size_t baseIndex() const { return Base; }
  const Build &basis() const { return Builds[Basis]; }

  /// The build of the basis's code that is told to make room for one block, or
  /// the basis where it has all registers anyway. A cap that leaves a thread
  /// all registers says the same.
  std::optional<size_t> lifted() const;

  /// Whether V keeps what is promised of the kernel.
  bool keeps(const Build &V) const;

  /// Whether V can be launched as the stock build can, as far as registers go.
  bool isLaunchable(const Build &V) const {
    return Q.Facts.knowsBlockSize() ||
           V.Regs <= mostLaunchable(stock(), Q.Limits);
  }

  /// What a build at a step can gain at most, and what it has to gain to be
  /// chosen, as shares of the base's time.
  struct StepBounds {
    double Most, Least;
    bool allow(double Price = 0) const { return Most - Price > Least; }
  };
  /// At most: what the basis, or the same without ptxas's own limit, would gain
  /// if it ran at S as it is; all where its code is not known. At least: what
  /// makes it cheaper than each finalist by now, or as cheap as one that it may
  /// change less than.
  StepBounds boundsAt(const OccupancyStep &S) const;

  /// Whether a build at S may pay in small grids for launches to take it there:
  /// the base would, if it ran at S as it is.
  bool mayPayInSmallGrids(const OccupancyStep &S) const;

private:
  const Question &Q;
  BuildSource &From;
  Promises Keep;
  Launch Stated;
  Predictor Model; ///< For the work that the base does, once it is read.
  std::vector<Build> Builds;
  size_t Base = 0, Basis = 0;
  /// Machine code of finalists without a cap, by index.
  std::map<size_t, CodeSummary> Codes;
  std::vector<size_t> Finalists;             ///< Indices; the base first.
  llvm::SmallVector<double, 4> BaseByMemory; ///< Whose mean base().Cycles is.
  /// Of launches: the same of base().LoneCycles, and the builds that are no
  /// slower than the base in their best small grid, whatever memory does.
  llvm::SmallVector<double, 4> BaseAloneByMemory;
  std::vector<size_t> SafeInSmallGrids;
  /// What the first builds that were read show.
  KnownHits Hits;

  double cyclesInGrids(const Build &V, const CodeSummary &Code,
                       llvm::SmallVectorImpl<double> *ByMemory = nullptr) const;
  Build predictedAt(const Launch &L, const Build &V,
                    const CodeSummary &Code) const;
  void predictLoneOfLaunch(size_t I, const CodeSummary &Code,
                           llvm::ArrayRef<double> FullByMemory);
  void predictLone(size_t I, const CodeSummary &Code);
  bool gainsByUnrolling(const Build &V, const CodeSummary &Code) const;
  bool suitsAllLaunches(const Build &V, const CodeSummary &Code) const;
  bool makesFinalist(size_t I, CodeSummary &Code);
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_BUILDPOOL_H
