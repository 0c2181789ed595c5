//===- FrameValue.cpp - what registers have of the stack pointer ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameValue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem::framecheck {

using Kind = FrameValue::Kind;

FrameValue join(FrameValue X, FrameValue Y) {
  if (X == Y)
    return X;
  if (X.isAddress() && Y.isAddress() && X.Where == Y.Where &&
      X.IsGeneric == Y.IsGeneric && X.Base == Y.Base && X.Lag == Y.Lag)
    return {Kind::Indexed, 0,      X.Where, X.RestIsMixed || Y.RestIsMixed,
            X.IsGeneric,   X.Base, X.Lag};
  // Threads for which both are Other go on so.
  for (SassCondition G : {X.Where, Y.Where}) {
    auto IsOtherElsewhere = [&](const FrameValue &V) {
      return V.What == Kind::Other || (V.Where == G && !V.RestIsMixed);
    };
    if (!G.isAlways() && IsOtherElsewhere(X) && IsOtherElsewhere(Y))
      return {Kind::Mixed, 0, G};
  }
  return {Kind::Mixed, 0};
}

unsigned placeOf(SassFile File, unsigned Index) {
  return static_cast<unsigned>(File) * 256 + Index;
}

unsigned slotAt(int64_t Offset) {
  constexpr unsigned FirstSlot = 4 * 256;
  return FirstSlot + static_cast<unsigned>(-(Offset >> 2));
}

/// Value for those threads for which G holds.
static FrameValue viewUnder(SassCondition G, FrameValue Value) {
  if (Value.Where.isAlways())
    return Value;
  if (Value.Where == G) {
    Value.Where = {};
    Value.RestIsMixed = false;
    return Value;
  }
  if (Value.Where == G.opposite() && !Value.RestIsMixed)
    return {};
  return {Kind::Mixed, 0};
}

FrameValues seenUnder(SassCondition G, const FrameValues &Values) {
  FrameValues Seen = Values;
  for (auto &[Register, Value] : Seen)
    Value = viewUnder(G, Value);
  return Seen;
}

FrameValues onlyUnder(SassCondition G, const FrameValues &Values) {
  FrameValues Left;
  for (const auto &[Place, Value] : Values)
    setValue(Left, Place,
             Value.Where.Predicate == G.Predicate ? viewUnder(G, Value)
                                                  : Value);
  return Left;
}

FrameValue writtenUnder(SassCondition G, FrameValue New, FrameValue Old) {
  if (G.isAlways())
    return New;
  FrameValue Kept = viewUnder(G.opposite(), Old);
  if (New == Kept || (New.isAddress() && Kept.isAddress()))
    return join(New, Kept);
  // One of them can be said of its threads; what there is most to say of.
  auto Weight = [](const FrameValue &V) {
    return V.What == Kind::Other ? 0 : V.What == Kind::Mixed ? 1 : 2;
  };
  bool IsNew = Weight(New) >= Weight(Kept);
  FrameValue Partly = IsNew ? New : Kept;
  Partly.Where = IsNew ? G : G.opposite();
  Partly.RestIsMixed = Weight(IsNew ? Kept : New) != 0;
  return Partly;
}

void forgetGuard(SassRegister Predicate, FrameValues &Values) {
  for (auto &[Register, Value] : Values)
    if (Value.Where.Predicate == Predicate)
      Value = {Kind::Mixed, 0};
}

void setValue(FrameValues &Values, unsigned Place, FrameValue Value) {
  if (Value.What == Kind::Other)
    Values.erase(Place);
  else
    Values[Place] = Value;
}

FrameValue valueOf(const FrameValues &Values, unsigned Place) {
  auto Found = Values.find(Place);
  return Found == Values.end() ? FrameValue() : Found->second;
}

bool isOther(const SassRegister &R, const FrameValues &Values) {
  return valueOf(Values, placeOf(R)).What == Kind::Other;
}

/// The number that Operand is, of 32 bits: it may be printed without its sign.
static std::optional<int64_t> readNumber(const SassOperand &Operand) {
  if (Operand.isZero())
    return 0;
  if (!Operand.isNumber())
    return std::nullopt;
  return SignExtend64<32>(static_cast<uint64_t>(Operand.Number));
}

namespace {

/// One operand of a sum.
struct Term {
  FrameValue Value;
  std::optional<int64_t> Number;
};

} // namespace

static Expected<FrameValue> misuse(const SassInstruction &I) {
  return createStringError("an address in the frame is used by " + I.Opcode);
}

static Term readTerm(const SassOperand &Operand, const FrameValues &Values) {
  Term T;
  T.Number = readNumber(Operand);
  bool IsPredicate = Operand.isPredicate() && !Operand.IsNegated;
  if (Operand.isPlain() || IsPredicate)
    T.Value = valueOf(Values, placeOf(Operand.Register));
  return T;
}

/// Whether Operand names, in whatever form, a register that is not Other.
static bool mentionsAddress(const SassOperand &Operand,
                            const FrameValues &Values) {
  return any_of(Operand.registers(),
                [&](SassRegister R) { return !isOther(R, Values); });
}

/// Whether Operand is the window's lower half with a minus sign.
static bool isLessWindow(SassOperand Operand, const FrameValues &Values) {
  if (Operand.Text != "-")
    return false;
  Operand.Text.clear();
  return readTerm(Operand, Values).Value.What == Kind::Low;
}

/// The sum of terms, one of which must be an address or one of the halves of
/// one; of an address and the window's lower half, a generic address; of that
/// less the window's lower half, the address again.
static Expected<FrameValue> sumOf(const SassInstruction &I,
                                  ArrayRef<SassOperand> Operands,
                                  const FrameValues &Values) {
  FrameValue Sum;
  int64_t Number = 0;
  bool AllKnown = true, AddsWindow = false, AddsOther = false;
  bool TakesWindow = false;
  for (const SassOperand &Operand : Operands) {
    if (!TakesWindow && !numCarries(I) && isLessWindow(Operand, Values)) {
      TakesWindow = true;
      continue;
    }
    Term T = readTerm(Operand, Values);
    if (T.Value.What == Kind::Other) {
      if (mentionsAddress(Operand, Values))
        return misuse(I);
      AllKnown &= T.Number.has_value();
      AddsOther |= T.Number != 0;
      Number += T.Number.value_or(0);
      continue;
    }
    if (T.Value.What == Kind::Low && Operands.size() > 1) {
      if (AddsWindow)
        return misuse(I);
      AddsWindow = true;
      continue;
    }
    if (Sum.What != Kind::Other)
      return misuse(I);
    Sum = T.Value;
  }
  switch (Sum.What) {
  case Kind::Known:
  case Kind::Indexed:
    if ((AddsWindow && (Sum.IsGeneric || Sum.Lag)) ||
        (TakesWindow && (AddsWindow || !Sum.IsGeneric)))
      return misuse(I);
    Sum.IsGeneric = (Sum.IsGeneric || AddsWindow) && !TakesWindow;
    if (!AllKnown)
      Sum.What = Kind::Indexed;
    Sum.Offset = Sum.What == Kind::Known ? Sum.Offset + Number : 0;
    return Sum;
  case Kind::Mixed:
  case Kind::Low:
  case Kind::High:
    // Copies; what is added to upper halves has a carry beside it.
    if (AddsWindow || TakesWindow || (AddsOther && Sum.What != Kind::Mixed))
      return misuse(I);
    return Sum;
  case Kind::Other:
  case Kind::Carry:
    break;
  }
  return misuse(I);
}

/// The upper half of a generic address to whose lower half something was added:
/// Terms have one upper half, and among the predicates Carries are all carries.
static Expected<FrameValue> upperSumOf(const SassInstruction &I,
                                       ArrayRef<SassOperand> Terms,
                                       ArrayRef<SassOperand> Carries,
                                       const FrameValues &Values) {
  unsigned Halves = 0, FromLower = 0, Given = 1;
  for (const SassOperand &Operand : Terms)
    if (readTerm(Operand, Values).Value.What == Kind::High)
      ++Halves;
    else if (mentionsAddress(Operand, Values))
      return misuse(I);
  for (const SassOperand &Operand : Carries) {
    FrameValue V = readTerm(Operand, Values).Value;
    if (V.What == Kind::Carry) {
      ++FromLower;
      Given = std::max(Given, V.Carries);
    } else if (mentionsAddress(Operand, Values)) {
      return misuse(I);
    }
  }
  if (Halves != 1 || FromLower != Given)
    return misuse(I);
  return FrameValue{Kind::High};
}

/// A product that must not have an address as a factor, and what is added.
static Expected<FrameValue> productAndSum(const SassInstruction &I,
                                          ArrayRef<SassOperand> Operands,
                                          const FrameValues &Values) {
  const SassOperand &A = Operands[1], &B = Operands[2], &C = Operands[3];
  if (readNumber(B) == 1)
    return sumOf(I, {A, C}, Values);
  if (readNumber(A) == 0 || readNumber(B) == 0)
    return sumOf(I, {C}, Values);
  if (mentionsAddress(A, Values) || mentionsAddress(B, Values))
    return misuse(I);
  // The product is any number: a term that is none.
  return sumOf(I, {C, SassOperand()}, Values);
}

unsigned numCarries(const SassInstruction &I) {
  constexpr size_t Others = 4; // The result and the terms.
  size_t Count = I.Operands.size();
  if ((I.Opcode != "IADD3" && I.Opcode != "UIADD3") || Count <= Others ||
      Count > Others + 2)
    return 0;
  ArrayRef<SassOperand> Carries = ArrayRef(I.Operands).slice(1, Count - Others);
  bool AreAll = all_of(Carries, [](const SassOperand &Operand) {
    return Operand.isPredicate();
  });
  return AreAll ? static_cast<unsigned>(Carries.size()) : 0;
}

/// Sums that take a carry in: a product may be one of the terms.
static Expected<FrameValue> sumWithCarry(const SassInstruction &I,
                                         const FrameValues &Values) {
  ArrayRef<SassOperand> Operands = I.Operands;
  bool IsProduct = I.Opcode == "IMAD.X";
  size_t Predicates = IsProduct ? 1 : 2;
  if (Operands.size() < 4 + 1 || Operands.size() > 4 + Predicates)
    return misuse(I);
  ArrayRef<SassOperand> Terms = Operands.slice(1, 3),
                        Carries = Operands.drop_front(4);
  if (!IsProduct)
    return upperSumOf(I, Terms, Carries, Values);
  if (readNumber(Terms[1]) == 1)
    return upperSumOf(I, {Terms[0], Terms[2]}, Carries, Values);
  if (mentionsAddress(Terms[0], Values) || mentionsAddress(Terms[1], Values))
    return misuse(I);
  return upperSumOf(I, {Terms[2]}, Carries, Values);
}

Expected<FrameValue> resultOf(const SassInstruction &I,
                              const FrameValues &Values) {
  ArrayRef<SassOperand> Operands = I.Operands;
  auto IsOneOf = [&](ArrayRef<StringRef> Opcodes) {
    return is_contained(Opcodes, I.Opcode);
  };
  // Predicates among the operands are carries, but for selects.
  size_t Count = Operands.size();
  if (IsOneOf({"IADD3.X", "UIADD3.X", "IMAD.X"}))
    return sumWithCarry(I, Values);
  if (IsOneOf({"MOV", "UMOV"}) && Count == 2)
    return sumOf(I, {Operands[1]}, Values);
  if (IsOneOf({"IADD3", "UIADD3"}) && (Count == 4 || numCarries(I)))
    return sumOf(I, Operands.take_back(3), Values);
  if (IsOneOf({"VIADD"}) && Count == 3)
    return sumOf(I, Operands.drop_front(), Values);
  if (IsOneOf({"IMAD", "IMAD.IADD", "IMAD.MOV", "IMAD.MOV.U32", "IMAD.U32",
               "UIMAD"}) &&
      Count == 4)
    return productAndSum(I, Operands, Values);
  if (IsOneOf({"LEA", "ULEA"}) && Count == 4 &&
      !mentionsAddress(Operands[1], Values))
    return sumOf(I, {Operands[2], SassOperand()}, Values);
  if (I.Opcode == "SEL" && Count == 4 &&
      !mentionsAddress(Operands[3], Values)) {
    FrameValue X = readTerm(Operands[1], Values).Value,
               Y = readTerm(Operands[2], Values).Value;
    return join(X, Y);
  }
  return misuse(I);
}

State join(const State &X, const State &Y) {
  State Result = X;
  for (const auto &[Register, Value] : Y.Values)
    Result.Values[Register] =
        framecheck::join(valueOf(X.Values, Register), Value);
  for (const auto &[Register, Value] : X.Values)
    Result.Values[Register] =
        framecheck::join(Value, valueOf(Y.Values, Register));
  Result.Foreign.insert(Y.Foreign.begin(), Y.Foreign.end());
  for (const auto &[Barrier, At] : Y.Meetings)
    Result.Meetings[Barrier].insert(At.begin(), At.end());
  return Result;
}

std::optional<int64_t> depth(const State &S) {
  FrameValue V = valueOf(S.Values, StackPointer);
  if (V.What != Kind::Known)
    return std::nullopt;
  return -V.Offset;
}

/// How many registers from one result on I may write. How many those of
/// textures and of asynchronous tensor instructions are is not in the text.
static unsigned spanOf(const SassInstruction &I) {
  return I.Class == SassClass::Texture || I.Class == SassClass::Tensor ||
                 I.Class == SassClass::Other
             ? 4
             : 1;
}

void write(const SassInstruction &I, FrameValue Result, FrameValue Carry,
           State &S) {
  // The guard may be among them, and says of the others what it was.
  SmallVector<SassRegister, 8> Writes(I.Writes.begin(), I.Writes.end());
  std::stable_partition(Writes.begin(), Writes.end(),
                        [](SassRegister R) { return !R.isPredicate(); });
  for (const SassRegister &W : Writes) {
    S.Foreign.erase(W);
    if (W.isPredicate())
      forgetGuard(W, S.Values);
    unsigned Span = W.isPredicate() ? 1 : spanOf(I);
    for (unsigned Index = W.Index; Index != W.Index + Span; ++Index) {
      unsigned Place = placeOf(W.File, Index);
      FrameValue Old = valueOf(S.Values, Place);
      FrameValue New =
          writtenUnder(I.Guard, W.isPredicate() ? Carry : Result, Old);
      if (Index != W.Index)
        New = join(Old, New);
      setValue(S.Values, Place, New);
    }
  }
}

} // namespace regdem::framecheck
