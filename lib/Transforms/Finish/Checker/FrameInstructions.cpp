//===- FrameInstructions.cpp - what one instruction does ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameInstructions.h"

#include "llvm/ADT/STLExtras.h"

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

Error checkComparison(unsigned N, const ListedInstruction &I,
                      const SassInstruction &R, const State &S) {
  std::optional<bool> AreGeneric;
  bool IsAlike = true;
  for (const SassRegister &X : R.Reads) {
    FrameValue V = valueOf(S.Values, placeOf(X));
    if (isGeneral(X))
      IsAlike &= V.isAddress() && !V.Lag &&
                 AreGeneric.value_or(V.IsGeneric) == V.IsGeneric;
    else
      IsAlike &= V.What == FrameValue::Kind::Other;
    if (isGeneral(X))
      AreGeneric = V.IsGeneric;
  }
  if (!IsAlike || I.Operands.contains("0x") || I.Operands.contains("RZ") ||
      I.Operands.contains("UR"))
    return failAt(N, "an address in the frame is compared with another number");
  return Error::success();
}

Expected<FrameValue> rewritten(unsigned N, const SassInstruction &R,
                               const Rewrite &Change, const State &S,
                               const StackSetUp &SetUp) {
  using Kind = FrameValue::Kind;
  FrameValue R1 = valueOf(S.Values, StackPointer);
  switch (Change.What) {
  case Rewrite::Kind::WindowLow:
    return FrameValue{Kind::Low};
  case Rewrite::Kind::WindowHigh:
    if (SetUp.Window != Change.Source)
      return failAt(N, "set-up code leaves no window in the register");
    return FrameValue{Kind::High};
  case Rewrite::Kind::FromStackPointer:
    if (R1.What != Kind::Known)
      return failAt(N, "R1 is not a known number of bytes below its start");
    R1.Base = R1.Offset;
    return R1;
  case Rewrite::Kind::ToGeneral:
  case Rewrite::Kind::Scaled:
  case Rewrite::Kind::Product:
    break;
  }
  FrameValue V = valueOf(S.Values, placeOf(SassFile::Uniform, Change.Source));
  if (!V.isAddress())
    return failAt(N, "no address in the frame is read where R1 was added");
  if (R1.What != Kind::Known || V.Base != R1.Offset)
    return failAt(N, "an address in the frame is seen from another R1");
  if (Change.What == Rewrite::Kind::ToGeneral) {
    V.Base = 0;
    return V;
  }
  if (any_of(R.Reads, [&](const SassRegister &X) {
        return isGeneral(X) && !isOther(X, S);
      }))
    return failAt(N, "an address in the frame is a factor");
  if (V.What != Kind::Known || V.IsGeneric)
    return failAt(N, "how far an address is from R1 is not known");
  FrameValue Sum{Kind::Indexed};
  Sum.Lag = V.Offset - V.Base;
  return Sum;
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
