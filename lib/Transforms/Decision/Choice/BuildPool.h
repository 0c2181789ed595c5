//===- BuildPool.h - what was built, and its predicted time -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps what was built for one kernel without a stated cap, stock first, and
// has the cost model compare those that are worth reading. Which are built is
// decided in FreeSearch.cpp and StepSearch.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_BUILDPOOL_H
#define REGDEM_LIB_DECISION_CHOICE_BUILDPOOL_H

#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Decision/Choice/FreeSearch.h"
#include "regdem/Decision/Model/KnownHits.h"
#include "llvm/ADT/SmallVector.h"
#include <limits>
#include <map>

namespace regdem {

class BuildPool {
public:
  BuildPool(const FreeGoal &Goal, MakeBuilds Make, ReadBuilds Read)
      : Goal(Goal), Launches(launchesOf(Goal.Facts, Goal.O)), Make(Make),
        Read(Read), Model{Goal.Limits, Goal.O.Limits.Jobs} {}

  /// Builds Wanted, if any, and rates them by their figures; false when that
  /// fails.
  bool add(llvm::ArrayRef<BuildRecipe> Wanted);

  size_t size() const { return Builds.size(); }
  const Build &operator[](size_t I) const { return Builds[I]; }
  const Build &stock() const { return Builds.front(); }
  llvm::ArrayRef<Build> builds() const { return Builds; }

  /// Registers with which a kernel can be launched as the stock build can.
  unsigned mostLaunchable() const;
  /// Whether V can, as far as registers go.
  bool isLaunchable(const Build &V) const {
    return Goal.Facts.knowsBlockSize() || V.Regs <= mostLaunchable();
  }

  /// What caps and demotion are to be tried with: the fastest finalist among
  /// stock and those that differ from it in the passes left out, if it gains
  /// more than the margin, and stock otherwise.
  void chooseBasis();
  const Build &basis() const { return Builds[Basis]; }

  /// The build of the basis's code that is told to make room for one block, or
  /// the basis where it has all registers anyway. A cap that leaves a thread
  /// all registers says the same.
  std::optional<size_t> lifted() const;

  std::vector<Build> take() { return std::move(Builds); }

  /// The share of stock's time that the basis, or the same without ptxas's own
  /// limit, would save if it ran at S as it is: what no build that only adds
  /// code can exceed. 1 where the code is not known. The basis must be a
  /// finalist.
  double potential(const OccupancyStep &S) const;

  /// The share of stock's time that a build with the cap of S must gain to be
  /// chosen by chooseBuild(): besides its margin what finalists gain beyond
  /// theirs, and more than a tie over those of them without spill code and
  /// shared memory, which so far have no cap.
  double leastGain(const OccupancyStep &S) const;

  /// Predicts the time of builds and makes them finalists, but for those of
  /// which no block fits an SM. Where the kernel has several launches, the time
  /// is the mean over them, and those that are slower than stock at one of
  /// them, could not be launched with as many threads, or gain too little for
  /// their spill code with half of the block sizes, are no finalists. Stock
  /// comes first of all. False when the code of one cannot be read.
  bool compare(llvm::ArrayRef<size_t> Indices);

  /// Index of the finalist to build the kernel as.
  size_t fastest() const;

  /// Index of the finalist other than stock that is predicted to be fastest;
  /// 0 where there is none.
  size_t bestOther() const;

  /// The prediction for build I beside stock, which must be finalists.
  Prediction prediction(size_t I) const;

  /// Whether times are predicted from machine code.
  bool readsCode() const { return !!Read; }
  double margin() const { return leastRisk(evidence()); }
  Evidence evidence() const {
    return readsCode() ? Evidence::MachineCode : Evidence::Figures;
  }

private:
  const FreeGoal &Goal;
  std::vector<Launch> Launches;
  MakeBuilds Make;
  ReadBuilds Read;
  Predictor Model; ///< For the work that stock does, once it is read.
  std::vector<Build> Builds;
  size_t Basis = 0; ///< Index of basis().
  /// Machine code of finalists without a cap, by index.
  std::map<size_t, CodeSummary> Codes;
  std::vector<size_t> Finalists; ///< Indices; stock first.
  /// Predicted cycles at a launch.
  struct LaunchTime {
    Launch At;
    double Cycles;
    /// Whose mean they are, where they are from machine code.
    llvm::SmallVector<double, 4> ByMemory;
  };
  /// What predictEach() is for stock.
  llvm::SmallVector<LaunchTime, 4> StockTimes;
  /// What the first builds that were read, which have no cap, show.
  KnownHits Hits;

  bool fits(const Build &V, const Launch &L) const;
  void predictLone(size_t I, const CodeSummary &Code);
  /// Predicted cycles at each launch at which stock fits an SM.
  llvm::SmallVector<LaunchTime, 4> predictEach(const Build &V,
                                               const CodeSummary *Code) const;
  /// V's predicted cycles and what it risks besides: if stock takes no more, V
  /// is not chosen.
  double cyclesAtRisk(const Build &V) const;
  static double meanOf(llvm::ArrayRef<LaunchTime> Times);
  bool paysForSpilling(const Build &V, llvm::ArrayRef<LaunchTime> Times) const;
  bool keeps(const Build &V) const;
  bool suitsAllLaunches(const Build &V, llvm::ArrayRef<LaunchTime> Times) const;
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_BUILDPOOL_H
