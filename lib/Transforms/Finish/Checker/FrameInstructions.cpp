//===- FrameInstructions.cpp - what one instruction does ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameInstructions.h"

using namespace llvm;

namespace regdem::framecheck {

std::optional<unsigned> firstStored(StringRef Operand) {
  unsigned First = 0;
  Operand = Operand.split('.').first;
  if (!Operand.consume_front("R") || Operand.getAsInteger(10, First))
    return std::nullopt;
  return First;
}

bool isStored(StringRef Operand, const SassInstruction &R, unsigned Index) {
  std::optional<unsigned> First = firstStored(Operand);
  return First && *First <= Index && Index < *First + std::max(R.Bytes / 4, 1u);
}

bool readsLocalWindow(const ListedInstruction &I) {
  if (I.Operands.contains("LMEM") || I.Opcode.contains("LMEM") ||
      I.base() == "CCTLL")
    return true;
  StringRef Rest = I.Operands;
  while (true) {
    size_t At = Rest.find("c[0x0][0x");
    if (At == StringRef::npos)
      return false;
    Rest = Rest.drop_front(At + StringRef("c[0x0][0x").size());
    uint64_t Offset = 0;
    // The window of local memory, and the stack pointer at the start; or what
    // reaches there by several words.
    if (!Rest.consumeInteger(16, Offset) && Offset >= 0x18 && Offset < 0x2c)
      return true;
  }
}

bool canRead(const ListedInstruction &I, const SassInstruction &R,
             const State &S) {
  for (const SassRegister &X : R.Reads) {
    FrameValue V = valueOf(S.Values, placeOf(X));
    bool IsUniform = X.File == SassFile::Uniform;
    if (IsUniform && (V.isAddress() || V.What == FrameValue::Kind::Mixed) &&
        !I.base().starts_with("U"))
      return false;
    bool IsPredicate = !IsUniform && !isGeneral(X);
    if (IsPredicate && V.What != FrameValue::Kind::Other &&
        (I.isGuarded() || !I.Opcode.ends_with(".X")))
      return false;
  }
  return true;
}

std::set<unsigned> countedScoreboards(const Listing &L) {
  std::set<unsigned> Result;
  for (const ListedInstruction &I : L.Instructions) {
    auto Operands = I.operands();
    unsigned Scoreboard = 0;
    if (I.base() != "DEPBAR" || Operands.size() < 2 || Operands[1] == "0x0" ||
        !Operands[0].consume_front("SB") ||
        Operands[0].getAsInteger(10, Scoreboard))
      continue;
    Result.insert(Scoreboard);
  }
  return Result;
}

std::optional<Guard> guardOfEdge(const ListedInstruction &I, unsigned N,
                                 ArrayRef<unsigned> Next, unsigned To) {
  bool Goes = I.base() == "BRA" && I.operands().size() == 1;
  bool IsBoth = Next.size() > 1 && Next[0] == Next[1];
  if (!I.isGuarded() || IsBoth || !(Goes || I.base() == "EXIT"))
    return std::nullopt;
  Guard G = Guard::of(I);
  return To == N + 1 ? G.opposite() : G;
}

} // namespace regdem::framecheck
