//===- SassEqualities.cpp - tests that seldom hold ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search compares what it has computed with what it looks for, word by word,
// and does something with it only where all words are equal. How many integers
// must be equal on the way to a block, or for a predicated access to memory,
// shows in the predicates of the branches and of the access: ISETP.EQ and .NE,
// and LOP3, whose predicate says whether any bit is set, of an exclusive or.
//
//===----------------------------------------------------------------------===//

#include "SassGraph.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

/// Predicates that are inputs of one: a PLOP3 has three.
static constexpr unsigned MostInputs = 3;

/// How many integers must be equal so that C holds after Code, as far as that
/// shows it, a block's start.
static unsigned equalities(ArrayRef<SassInstruction> Code, SassCondition C);

/// Whether the truth table of a LOP3 is 0 if two of its inputs are equal and 1
/// if not, at least where the third is of the one or the other kind.
static bool isExclusiveOr(unsigned Table) {
  auto Bit = [Table](unsigned A, unsigned B, unsigned C) {
    return Table >> (A << 2 | B << 1 | C) & 1;
  };
  for (unsigned Rest = 0; Rest != 2; ++Rest) {
    auto Differ = [&](auto At) {
      return !At(0, 0) && !At(1, 1) && At(0, 1) && At(1, 0);
    };
    if (Differ([&](unsigned X, unsigned Y) { return Bit(X, Y, Rest); }) ||
        Differ([&](unsigned X, unsigned Y) { return Bit(X, Rest, Y); }) ||
        Differ([&](unsigned X, unsigned Y) { return Bit(Rest, X, Y); }))
      return true;
  }
  return false;
}

/// For a PLOP3: "P0, PT, P1, P2, PT, 0xa8, 0x0". An input is as it must be
/// where no other value of it can give the result.
static unsigned ofCombination(ArrayRef<SassInstruction> Before,
                              const SassInstruction &I, bool Holds) {
  if (I.Operands.size() != 7 || !I.Operands[5].isNumber())
    return 0;
  int64_t Table = I.Operands[5].Number;
  auto ConditionOf = [&I](unsigned N) { return I.Operands[2 + N].condition(); };
  bool MayBe[MostInputs][2] = {};
  for (unsigned Row = 0; Row != 1u << MostInputs; ++Row) {
    auto Input = [Row](unsigned N) { return Row >> (MostInputs - 1 - N) & 1; };
    bool IsPossible = bool(Table >> Row & 1) == Holds;
    for (unsigned N = 0; N != MostInputs; ++N) {
      SassCondition C = ConditionOf(N);
      if (C.Predicate.isConstant() && Input(N) == C.IsNegated)
        IsPossible = false;
    }
    for (unsigned N = 0; N != MostInputs; ++N)
      MayBe[N][Input(N)] |= IsPossible;
  }
  unsigned Sum = 0;
  for (unsigned N = 0; N != MostInputs; ++N)
    if (MayBe[N][0] != MayBe[N][1])
      Sum += equalities(Before, MayBe[N][1] ? ConditionOf(N)
                                            : ConditionOf(N).opposite());
  return Sum;
}

/// For an ISETP: "P0, PT, R2, R3, P1", whose opcode says how P1 counts.
static unsigned ofComparison(ArrayRef<SassInstruction> Before,
                             const SassInstruction &I, bool Holds) {
  bool IsEqual = I.has(Holds ? "EQ" : "NE");
  if (I.Operands.size() < 5 || I.Operands[4].isTrue())
    return IsEqual;
  // Both must be so, or it is not known which of the two is.
  SassCondition Other = I.Operands[4].condition();
  if (I.has(Holds ? "AND" : "OR"))
    return IsEqual + equalities(Before, Holds ? Other : Other.opposite());
  return 0;
}

static unsigned equalities(ArrayRef<SassInstruction> Code, SassCondition C) {
  if (!C.Predicate.isPredicate() || C.Predicate.isConstant())
    return 0;
  for (; !Code.empty(); Code = Code.drop_back()) {
    const SassInstruction &I = Code.back();
    if (!is_contained(I.Writes, C.Predicate))
      continue;
    StringRef Base = I.base();
    if (I.isPredicated() ||
        I.Operands.front().condition() != SassCondition{C.Predicate, false})
      return 0;
    if (Base == "PLOP3" || Base == "UPLOP3")
      return ofCombination(Code.drop_back(), I, !C.IsNegated);
    if (Base == "LOP3" || Base == "ULOP3") {
      auto Table = find_if(reverse(I.Operands),
                           [](const SassOperand &O) { return O.isNumber(); });
      return C.IsNegated && Table != I.Operands.rend() &&
             isExclusiveOr(static_cast<unsigned>(Table->Number));
    }
    if (Base != "ISETP" && Base != "UISETP")
      return 0;
    return ofComparison(Code.drop_back(), I, !C.IsNegated);
  }
  return 0;
}

/// How many integers must be equal so that control goes from block From to its
/// successor To. None where it leaves a loop, whose end is such a test often.
static unsigned equalitiesOnEdge(const SassKernel &K, unsigned From,
                                 unsigned To) {
  const SassBlock &B = K.Blocks[From];
  const SassInstruction &Branch = B.Instructions.back();
  if (!Branch.isPredicated() || Branch.base() != "BRA" ||
      B.Successors.size() != 2)
    return 0;
  for (unsigned Successor : B.Successors)
    if (B.Loop && !isInLoop(K, Successor, *B.Loop))
      return 0;
  bool IsTaken = To != From + 1;
  return equalities(ArrayRef(B.Instructions).drop_back(),
                    IsTaken ? Branch.Guard : Branch.Guard.opposite());
}

static void countEqualitiesOfGuards(SassBlock &B) {
  for (size_t N = 0; N != B.Instructions.size(); ++N)
    if (SassInstruction &I = B.Instructions[N]; I.isPredicated() && I.Bytes)
      I.Equalities =
          equalities(ArrayRef(B.Instructions).take_front(N), I.Guard);
}

void countEqualities(SassKernel &K) {
  for (SassBlock &B : K.Blocks)
    countEqualitiesOfGuards(B);
  std::vector<bool> IsReached(K.Blocks.size());
  for (unsigned F = 0; F != K.Functions.size(); ++F)
    for (unsigned From : blockOrder(K, F))
      for (unsigned To : K.Blocks[From].Successors) {
        if (isBackEdge(K, From, To))
          continue;
        unsigned Count =
            K.Blocks[From].Equalities + equalitiesOnEdge(K, From, To);
        if (IsReached[To])
          Count = std::min(Count, K.Blocks[To].Equalities);
        IsReached[To] = true;
        K.Blocks[To].Equalities = Count;
      }
}

} // namespace regdem
