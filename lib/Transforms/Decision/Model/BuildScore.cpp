//===- BuildScore.cpp - rank builds under one cap -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under one cap, builds differ in the words that they move:
//
//   score = SpilledWord * words that go to local memory
//           + words that go to slots or come from there
//           + half of the recomputations
//
// The score says what is built and read back. Which build is made is decided by
// the time that is predicted from machine code, where there is a disassembler.
//
// What ptxas itself spills to shared memory is not among its figures and counts
// nothing.
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/BuildScore.h"

#include "regdem/Constants.h"
#include <tuple>

namespace regdem {

/// Recomputations that cost as much as a word moved to or from a slot: an SM
/// does arithmetic for 64 lanes or more in a cycle, and moves 32 words.
static constexpr unsigned RecomputationsPerWord = 2;

bool spillsStayInL1(const Build &V) {
  return V.SpillFootprint <= V.L1Bytes / 2;
}

bool haveSameFigures(const Build &A, const Build &B) {
  auto Figures = [](const Build &V) {
    return std::make_tuple(V.Regs, V.SpillStoreBytes, V.SpillLoadBytes,
                           V.StaticShared, V.SlotAccesses, V.Recomputations,
                           V.PressureAfter);
  };
  return Figures(A) == Figures(B);
}

bool hasBetterFigures(const Build &A, const Build &B) {
  return std::make_tuple(scoreOf(A), A.StaticShared, B.Target) <
         std::make_tuple(scoreOf(B), B.StaticShared, A.Target);
}

unsigned scoreOf(const Build &V) {
  return V.spillBytes() / 4 * Tuned.SpilledWord + V.SlotAccesses +
         V.Recomputations / RecomputationsPerWord;
}

} // namespace regdem
