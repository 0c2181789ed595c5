//===- StepSearch.h - builds at occupancy steps -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tries, for a kernel without a stated cap, register caps at which another
// number of blocks runs on an SM: a few builds at each step, more at the one
// that promises most.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_STEPSEARCH_H
#define REGDEM_LIB_DECISION_CHOICE_STEPSEARCH_H

#include "StepMoves.h"

namespace regdem {

class StepSearch {
public:
  /// Finds the steps at which something may be gained over the pool's stock
  /// build.
  explicit StepSearch(StepTools T);

  bool empty() const { return Steps.empty(); }
  /// Share of the stock build's time that the best step can gain at most, where
  /// none can gain enough.
  double mostToGain() const { return MostToGain; }
  /// What that step would have to gain.
  double leastToGain() const { return LeastToGain; }

  /// Builds variants and makes the best of each step finalists; false when a
  /// build fails or code cannot be read.
  bool run();

private:
  StepTools T;
  std::vector<StepMoves> Steps;
  double MostToGain = 0, LeastToGain;

  bool mayGainMore(const StepMoves &S) const;
  StepMoves *mostPromising();
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_STEPSEARCH_H
