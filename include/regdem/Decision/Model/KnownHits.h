//===- KnownHits.h - loads that hit L1 in all builds ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That a load lies next to an earlier one shows in machine code only where both
// go by one address register (TouchedLines.h). What a thread loads is the same
// in all builds of a kernel, but not how many registers ptxas takes for the
// addresses. So what one of them shows is taken for all, as it is of loads that
// all threads of a block share: where an address is computed for some threads
// only, it does not show that they are.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_MODEL_KNOWNHITS_H
#define REGDEM_DECISION_MODEL_KNOWNHITS_H

#include "regdem/Decision/Model/CodeSummary.h"

namespace regdem {

/// Shares of the words that are loaded from global memory, from 0 to 1: those
/// with TraceStep::IsInLines, with TraceStep::IsInSectors and with
/// TraceStep::IsShared.
struct KnownHits {
  double InLines = 0, InSectors = 0, Shared = 0;

  void raiseTo(const KnownHits &Other);
};

/// What Code shows.
KnownHits knownHits(const CodeSummary &Code);

/// Makes Hits the shares of Code, as near as its loads allow, if it shows other
/// lines or shared ones: what it shows beyond them or too little of is taken
/// from or given to loads that are evenly distributed over its way. Lines that
/// are nearly as many are as good: ptxas puts single loads together in one
/// build and not in another.
void setKnownHits(CodeSummary &Code, const KnownHits &Hits);

} // namespace regdem

#endif // REGDEM_DECISION_MODEL_KNOWNHITS_H
