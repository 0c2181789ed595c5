//===- BuildSamples.h - builds as ptxas may build them ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_DECISION_MODEL_BUILDSAMPLES_H
#define REGDEM_TEST_UNIT_DECISION_MODEL_BUILDSAMPLES_H

#include "regdem/Decision/Builds/Outcome.h"

namespace regdem {

inline Build buildOf(unsigned Regs, unsigned Blocks) {
  Build V;
  V.Regs = Regs;
  V.BlocksPerSM = Blocks;
  V.L1Bytes = 256 * 1024;
  return V;
}

inline Build capped(unsigned Regs, unsigned Blocks, unsigned SharedBytes = 0) {
  Build V = buildOf(Regs, Blocks);
  V.What = SharedBytes ? Decision::Demote : Decision::Cap;
  V.MaxRegs = Regs;
  V.StaticShared = SharedBytes;
  return V;
}

/// The stock build without the limit that ptxas derives by itself.
inline Build lifted(unsigned Regs, unsigned Blocks) {
  Build V = buildOf(Regs, Blocks);
  V.What = Decision::Cap;
  V.MinBlocks = 1;
  return V;
}

inline Build spilling(Build V, unsigned Bytes) {
  V.SpillStoreBytes = V.SpillLoadBytes = Bytes;
  return V;
}

} // namespace regdem

#endif // REGDEM_TEST_UNIT_DECISION_MODEL_BUILDSAMPLES_H
