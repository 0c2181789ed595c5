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

#include "SassDecode.h"
#include "SassGraph.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// Predicates that are inputs of one: a PLOP3 has three.
constexpr unsigned MostInputs = 3;

/// A predicate and the value that it must have.
struct Condition {
  StringRef Name; ///< "P0", "!UP1", "PT"
  bool Holds;
};

/// The instructions of a block that define predicates.
class Tests {
public:
  explicit Tests(ArrayRef<SassInstruction> Code) : Code(Code) {}

  /// How many integers must be equal so that C is as it must be, as far as
  /// the block itself shows it, in front of instruction Before.
  unsigned equalities(Condition C, size_t Before) const;

private:
  ArrayRef<SassInstruction> Code;

  unsigned ofComparison(const SassInstruction &I, bool Holds,
                        size_t Before) const;
  unsigned ofCombination(const SassInstruction &I, bool Holds,
                         size_t Before) const;
};

/// Whether the truth table of a LOP3 is 0 if two of its inputs are equal and 1
/// if not, at least where the third is of the one or the other kind.
bool isExclusiveOr(unsigned Table) {
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

/// The last of Operands that is a number.
std::optional<unsigned> lastNumber(ArrayRef<StringRef> Operands) {
  for (StringRef Operand : reverse(Operands))
    if (unsigned Value; !Operand.getAsInteger(0, Value))
      return Value;
  return std::nullopt;
}

} // namespace

/// For a PLOP3: "P0, PT, P1, P2, PT, 0xa8, 0x0". An input is as it must be
/// where no other value of it can give the result.
unsigned Tests::ofCombination(const SassInstruction &I, bool Holds,
                              size_t Before) const {
  SmallVector<StringRef, 6> Operands = splitOperands(I.Operands);
  unsigned Table = 0;
  if (Operands.size() != 7 || Operands[5].getAsInteger(0, Table))
    return 0;
  bool MayBe[MostInputs][2] = {};
  for (unsigned Row = 0; Row != 1u << MostInputs; ++Row) {
    auto Input = [Row](unsigned N) { return Row >> (MostInputs - 1 - N) & 1; };
    bool IsPossible = bool(Table >> Row & 1) == Holds;
    for (unsigned N = 0; N != MostInputs; ++N) {
      StringRef Name = Operands[2 + N];
      if (Name.ends_with("PT") && Input(N) == Name.starts_with("!"))
        IsPossible = false;
    }
    for (unsigned N = 0; N != MostInputs; ++N)
      MayBe[N][Input(N)] |= IsPossible;
  }
  unsigned Sum = 0;
  for (unsigned N = 0; N != MostInputs; ++N)
    if (MayBe[N][0] != MayBe[N][1])
      Sum += equalities({Operands[2 + N], MayBe[N][1]}, Before);
  return Sum;
}

/// For an ISETP: "P0, PT, R2, R3, P1", whose opcode says how P1 counts.
unsigned Tests::ofComparison(const SassInstruction &I, bool Holds,
                             size_t Before) const {
  SmallVector<StringRef, 6> Operands = splitOperands(I.Operands);
  bool IsEqual = hasModifier(I.Opcode, Holds ? "EQ" : "NE");
  if (Operands.size() < 5 || isTrue(Operands[4]))
    return IsEqual;
  // Both must be so, or it is not known which of the two is.
  if (hasModifier(I.Opcode, Holds ? "AND" : "OR"))
    return IsEqual + equalities({Operands[4], Holds}, Before);
  return 0;
}

unsigned Tests::equalities(Condition C, size_t Before) const {
  if (C.Name.consume_front("!"))
    C.Holds = !C.Holds;
  std::optional<SassRegister> Predicate = readRegister(C.Name);
  if (!Predicate)
    return 0;
  for (size_t N = Before; N-- != 0;) {
    const SassInstruction &I = Code[N];
    if (!is_contained(I.Writes, *Predicate))
      continue;
    SmallVector<StringRef, 6> Operands = splitOperands(I.Operands);
    StringRef Base = baseOpcode(I.Opcode);
    if (I.Predicated || !(readRegister(Operands.front()) == Predicate))
      return 0;
    if (Base == "PLOP3" || Base == "UPLOP3")
      return ofCombination(I, C.Holds, N);
    if (Base == "LOP3" || Base == "ULOP3")
      return !C.Holds && isExclusiveOr(lastNumber(Operands).value_or(0));
    if (Base != "ISETP" && Base != "UISETP")
      return 0;
    return ofComparison(I, C.Holds, N);
  }
  return 0;
}

/// How many integers must be equal so that control goes from block From to its
/// successor To. None where it leaves a loop, whose end is such a test often.
static unsigned equalitiesOnEdge(const SassKernel &K, unsigned From,
                                 unsigned To) {
  const SassBlock &B = K.Blocks[From];
  const SassInstruction &Branch = B.Instructions.back();
  if (!Branch.Predicated || baseOpcode(Branch.Opcode) != "BRA" ||
      B.Successors.size() != 2)
    return 0;
  for (unsigned Successor : B.Successors)
    if (B.Loop && !isInLoop(K, Successor, *B.Loop))
      return 0;
  bool IsTaken = To != From + 1;
  return Tests(B.Instructions)
      .equalities({Branch.Guard, IsTaken}, B.Instructions.size() - 1);
}

static void countEqualitiesOfGuards(SassBlock &B) {
  for (size_t N = 0; N != B.Instructions.size(); ++N)
    if (SassInstruction &I = B.Instructions[N]; I.Predicated && I.Bytes)
      I.Equalities =
          Tests(B.Instructions).equalities({I.Guard, /*Holds=*/true}, N);
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
