//===- FinalistsSamples.h - builds under one cap ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_FINALISTSSAMPLES_H
#define REGDEM_TEST_UNIT_FINALISTSSAMPLES_H

#include "CapSearchHarness.h"

namespace regdem {

inline Build built(Decision What, unsigned Score, double Cycles = 0) {
  Build V;
  V.What = What;
  V.MaxRegs = Cap;
  V.SmemSpilling = What == Decision::Pragma;
  V.BlocksPerSM = 6;
  V.SlotAccesses = Score;
  V.Cycles = Cycles;
  return V;
}

constexpr unsigned Blocks = 6; ///< That the cap makes room for.

using Indices = std::vector<size_t>;

} // namespace regdem

#endif // REGDEM_TEST_UNIT_FINALISTSSAMPLES_H
