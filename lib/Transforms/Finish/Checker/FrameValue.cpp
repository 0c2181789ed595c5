//===- FrameValue.cpp - what a register has of the stack pointer ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameValue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regdem::framecheck {

using Kind = FrameValue::Kind;

FrameValue join(FrameValue X, FrameValue Y) {
  if (X == Y)
    return X;
  if (X.isAddress() && Y.isAddress() && X.Where == Y.Where)
    return {Kind::Indexed, 0, X.Where, X.RestIsMixed || Y.RestIsMixed};
  return {Kind::Mixed, 0};
}

/// Value for those threads for which G holds.
static FrameValue viewUnder(Guard G, FrameValue Value) {
  if (Value.Where.Predicate.empty())
    return Value;
  if (Value.Where == G)
    return {Value.What, Value.Offset};
  if (Value.Where == G.opposite() && !Value.RestIsMixed)
    return {};
  return {Kind::Mixed, 0};
}

FrameValues seenUnder(Guard G, const FrameValues &Values) {
  FrameValues Seen = Values;
  for (auto &[Register, Value] : Seen)
    Value = viewUnder(G, Value);
  return Seen;
}

FrameValue writtenUnder(Guard G, FrameValue New, FrameValue Old) {
  if (G.Predicate.empty())
    return New;
  FrameValue Kept = viewUnder(G.opposite(), Old);
  if (New == Kept || (New.isAddress() && Kept.isAddress()))
    return join(New, Kept);
  if (New.isAddress())
    return {New.What, New.Offset, G, Kept.What == Kind::Mixed};
  if (Kept.isAddress())
    return {Kept.What, Kept.Offset, G.opposite(), New.What == Kind::Mixed};
  return {Kind::Mixed, 0};
}

void forgetGuard(StringRef Predicate, FrameValues &Values) {
  for (auto &[Register, Value] : Values)
    if (!Value.Where.Predicate.empty() && Value.Where.Predicate == Predicate)
      Value = {Kind::Mixed, 0};
}

FrameValue valueOf(const FrameValues &Values, unsigned Register) {
  auto Found = Values.find(Register);
  return Found == Values.end() ? FrameValue() : Found->second;
}

/// The register that Operand is, without a sign; none where it is another
/// thing. RZ is not one.
static std::optional<unsigned> readRegister(StringRef Operand) {
  unsigned Number = 0;
  Operand.consume_back(".reuse");
  if (!Operand.consume_front("R") || Operand.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

static std::optional<int64_t> readNumber(StringRef Operand) {
  int64_t Number = 0;
  Operand.consume_back(".reuse");
  if (Operand == "RZ" || Operand == "URZ")
    return 0;
  if (!Operand.contains("0x") || Operand.getAsInteger(0, Number))
    return std::nullopt;
  // A number of 32 bits may be printed without its sign.
  return SignExtend64<32>(static_cast<uint64_t>(Number));
}

std::optional<FrameAddress> readAddress(StringRef Operand) {
  if (!Operand.consume_front("[") || !Operand.consume_back("]"))
    return std::nullopt;
  auto [Base, Rest] = Operand.split('+');
  FrameAddress A;
  std::optional<unsigned> Register = readRegister(Base);
  if (!Register)
    return std::nullopt;
  A.Register = *Register;
  if (!Rest.empty() && Rest.getAsInteger(0, A.Offset))
    return std::nullopt;
  return A;
}

namespace {

/// One operand of a sum.
struct Term {
  FrameValue Value;
  std::optional<int64_t> Number;
};

} // namespace

static Expected<FrameValue> misuse(const ListedInstruction &I) {
  return createStringError("an address in the frame is used by " + I.Opcode);
}

static Term readTerm(StringRef Operand, const FrameValues &Values) {
  Term T;
  T.Number = readNumber(Operand);
  if (std::optional<unsigned> R = readRegister(Operand))
    T.Value = valueOf(Values, *R);
  return T;
}

/// Whether Operand names, in whatever form, a register that is not Other.
static bool mentionsAddress(StringRef Operand, const FrameValues &Values) {
  Operand.consume_front("-");
  Operand.consume_front("~");
  Operand.consume_front("|");
  Operand.consume_back("|");
  std::optional<unsigned> R = readRegister(Operand);
  return R && valueOf(Values, *R).What != Kind::Other;
}

/// The sum of terms, one of which must be an address.
static Expected<FrameValue> sumOf(const ListedInstruction &I,
                                  ArrayRef<StringRef> Operands,
                                  const FrameValues &Values) {
  FrameValue Sum;
  int64_t Number = 0;
  bool AllKnown = true;
  for (StringRef Operand : Operands) {
    Term T = readTerm(Operand, Values);
    if (T.Value.What == Kind::Other) {
      if (mentionsAddress(Operand, Values))
        return misuse(I);
      AllKnown &= T.Number.has_value();
      Number += T.Number.value_or(0);
      continue;
    }
    if (Sum.What != Kind::Other)
      return misuse(I);
    Sum = T.Value;
  }
  if (Sum.What == Kind::Other)
    return misuse(I);
  if (Sum.What == Kind::Mixed)
    return Sum;
  if (Sum.What == Kind::Known && AllKnown)
    return FrameValue{Kind::Known, Sum.Offset + Number};
  return FrameValue{Kind::Indexed, 0};
}

/// A product that must not have an address as a factor, and what is added.
static Expected<FrameValue> productAndSum(const ListedInstruction &I,
                                          ArrayRef<StringRef> Operands,
                                          const FrameValues &Values) {
  StringRef A = Operands[1], B = Operands[2], C = Operands[3];
  if (readNumber(B) == 1)
    return sumOf(I, {A, C}, Values);
  if (readNumber(A) == 0 || readNumber(B) == 0)
    return sumOf(I, {C}, Values);
  if (mentionsAddress(A, Values) || mentionsAddress(B, Values))
    return misuse(I);
  // The product is any number: a term that is none.
  return sumOf(I, {C, "?"}, Values);
}

bool givesCarry(const ListedInstruction &I) {
  auto Operands = I.operands();
  return I.Opcode == "IADD3" && Operands.size() == 5 &&
         Operands[1].starts_with("P");
}

Expected<FrameValue> resultOf(const ListedInstruction &I,
                              const FrameValues &Values) {
  auto Operands = I.operands();
  StringRef Base = I.base();
  auto IsOneOf = [&](ArrayRef<StringRef> Opcodes) {
    return is_contained(Opcodes, I.Opcode);
  };
  // Predicates among the operands are carries, but for selects.
  size_t Count = Operands.size();
  if (IsOneOf({"MOV"}) && Count == 2)
    return sumOf(I, {Operands[1]}, Values);
  if (IsOneOf({"IADD3"}) && (Count == 4 || givesCarry(I)))
    return sumOf(I, ArrayRef(Operands).take_back(3), Values);
  if (IsOneOf({"VIADD"}) && Count == 3)
    return sumOf(I, ArrayRef(Operands).drop_front(), Values);
  if (IsOneOf({"IMAD", "IMAD.IADD", "IMAD.MOV.U32", "IMAD.U32"}) && Count == 4)
    return productAndSum(I, Operands, Values);
  if (IsOneOf({"LEA"}) && Count == 4 && !mentionsAddress(Operands[1], Values))
    return sumOf(I, {Operands[2], "?"}, Values);
  if (Base == "SEL" && I.Opcode == Base && Count == 4) {
    FrameValue X = readTerm(Operands[1], Values).Value,
               Y = readTerm(Operands[2], Values).Value;
    return join(X, Y);
  }
  return misuse(I);
}

} // namespace regdem::framecheck
