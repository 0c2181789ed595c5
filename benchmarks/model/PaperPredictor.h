//===- PaperPredictor.h - the RegDem paper's predictor ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What RegDem's cost model is compared with: the predictor of the original
// system (Sakdhnagool, Sabne, Eigenmann, "RegDem: Increasing GPU Performance
// via Shared Memory Register Spilling", 2019, arXiv 1907.02894), with the
// constants of its artifact. It adds the stall cycles of all instructions and
// scales them by a function of occupancy:
//
//   time = (ordinary + 32 * occ * FP64 + 4 * occ * special) * f(occ) / f(max)
//   f(x) = 0.14088 * x^-0.86281
//
// where occ is the share of an SM's warps that are resident and f(max) is that
// of the build with the highest occupancy, the same for all builds of a
// kernel. A load from global or local memory stalls for 200 cycles, one from
// shared memory for 24, all else as long as its control bits say; each loop
// around an instruction counts ten times. The constants are those of a GPU of
// 2014, with few FP64 units, and stay as they were.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_MODEL_PAPERPREDICTOR_H
#define BENCHMARKS_MODEL_PAPERPREDICTOR_H

#include "regdem/MachineCode/Sass.h"
#include <cmath>

inline double paperStall(const regdem::SassInstruction &I) {
  switch (I.Class) {
  case regdem::SassClass::GlobalLoad:
  case regdem::SassClass::LocalLoad:
    return 200;
  case regdem::SassClass::SharedLoad:
    return 24;
  default:
    return I.Stall;
  }
}

/// The paper's prediction for K at an Occupancy above 0, the share of an SM's
/// warps that are resident; f(max) is that of full occupancy.
inline double paperCycles(double Occupancy, const regdem::SassKernel &K) {
  double Stalls = 0;
  for (const regdem::SassBlock &Block : K.Blocks)
    for (const regdem::SassInstruction &I : Block.Instructions) {
      double Stall = std::pow(10, Block.LoopDepth) * paperStall(I);
      if (I.Class == regdem::SassClass::FP64)
        Stall *= 32 * Occupancy;
      else if (I.Class == regdem::SassClass::Special)
        Stall *= 4 * Occupancy;
      Stalls += Stall;
    }
  return Stalls * std::pow(Occupancy, -0.86281);
}

#endif // BENCHMARKS_MODEL_PAPERPREDICTOR_H
