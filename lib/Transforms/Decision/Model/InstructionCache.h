//===- InstructionCache.h - when warps have their code ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that does not fit the near instruction cache comes from the one behind
// it, a line at a time, and warps that are at different places of a long way
// throw out each other's lines. So the fetch of code limits long straight code,
// and more warps do not help (benchmarks/model/README.md, "Fetch of code").
//
// Only the first visit of each line counts. Warps in a loop get into step,
// since the first of them waits for lines and the others find them there. The
// partitions of an SM are taken to go along in step, so that what one fetches
// serves all of them.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_INSTRUCTIONCACHE_H
#define REGDEM_LIB_DECISION_MODEL_INSTRUCTIONCACHE_H

#include "MachineTimings.h"
#include "regdem/Decision/Model/CodeSummary.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace regdem {

class InstructionCache {
public:
  InstructionCache(llvm::ArrayRef<TraceStep> Trace, const MachineTimings &T);

  /// When a warp that gets to step Index of the trace at Time has its code. The
  /// line that is new to it next is fetched, too.
  double arrive(size_t Index, double Time) {
    return Visits.empty() || Visits[Index].Line == NoLine
               ? Time
               : fetch(Visits[Index], Time);
  }

private:
  static constexpr uint32_t NoLine = ~uint32_t(0);
  /// Where the way gets to a line for the first time, and the next such line.
  struct Visit {
    uint32_t Line = NoLine, Next = NoLine;
  };
  /// When a line came, and which one it was, counted from 1, of all that came
  /// into each cache; 0: none. What came first goes first.
  struct Line {
    double There = 0;
    size_t Near = 0, Far = 0;
  };

  const MachineTimings &T;
  std::vector<Visit> Visits; ///< Of the steps; empty: all code fits.
  std::vector<Line> Lines;
  size_t Near = 0, Far = 0; ///< Lines that came into each cache.
  double Free = 0;          ///< When the next one can be fetched.

  double fetch(const Visit &V, double Time);
  double fetchLine(uint32_t Index, double Time);
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_INSTRUCTIONCACHE_H
