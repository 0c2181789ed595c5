//===- PaperScorer.cpp - the RegDem paper's predictor ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/PaperScorer.h"

#include <cmath>

namespace regdem {

namespace {

constexpr double MemoryStall = 200, SharedStall = 24;
constexpr double IterationsPerLoop = 10;
constexpr double FP64Factor = 32, SpecialFactor = 4;
/// f(x) / f(1) = x^Exponent; the factor of f cancels out.
constexpr double Exponent = -0.86281;

double stallOf(const SassInstruction &I) {
  switch (I.Class) {
  case SassClass::GlobalLoad:
  case SassClass::LocalLoad:
    return MemoryStall;
  case SassClass::SharedLoad:
    return SharedStall;
  default:
    return I.Stall;
  }
}

} // namespace

void addPaperStalls(const SassKernel &K, CodeSummary &Code) {
  for (const SassBlock &Block : K.Blocks) {
    double Times = std::pow(IterationsPerLoop, Block.LoopDepth);
    for (const SassInstruction &I : Block.Instructions) {
      double Stalls = Times * stallOf(I);
      if (I.Class == SassClass::FP64)
        Code.PaperFP64Stalls += Stalls;
      else if (I.Class == SassClass::Special)
        Code.PaperSpecialStalls += Stalls;
      else
        Code.PaperStalls += Stalls;
    }
  }
}

double paperCycles(double Occupancy, const CodeSummary &Code) {
  double Stalls = Code.PaperStalls +
                  FP64Factor * Occupancy * Code.PaperFP64Stalls +
                  SpecialFactor * Occupancy * Code.PaperSpecialStalls;
  return Stalls * std::pow(Occupancy, Exponent);
}

} // namespace regdem
