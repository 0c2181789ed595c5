//===- VariantSamples.h - variants as ptxas may build them ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_DECISION_MODEL_VARIANTSAMPLES_H
#define REGDEM_TEST_UNIT_DECISION_MODEL_VARIANTSAMPLES_H

#include "regdem/Decision/Builds/Outcome.h"

namespace regdem {

inline Variant variant(unsigned Regs, unsigned Blocks) {
  Variant V;
  V.Regs = Regs;
  V.BlocksPerSM = Blocks;
  V.L1Bytes = 256 * 1024;
  return V;
}

inline Variant capped(unsigned Regs, unsigned Blocks,
                      unsigned SharedBytes = 0) {
  Variant V = variant(Regs, Blocks);
  V.What = SharedBytes ? Decision::Demote : Decision::Cap;
  V.MaxRegs = Regs;
  V.StaticShared = SharedBytes;
  return V;
}

/// The stock build without the limit that ptxas derives by itself.
inline Variant lifted(unsigned Regs, unsigned Blocks) {
  Variant V = variant(Regs, Blocks);
  V.What = Decision::Cap;
  V.MinBlocks = 1;
  return V;
}

inline Variant spilling(Variant V, unsigned Bytes) {
  V.SpillStoreBytes = V.SpillLoadBytes = Bytes;
  return V;
}

} // namespace regdem

#endif // REGDEM_TEST_UNIT_DECISION_MODEL_VARIANTSAMPLES_H
