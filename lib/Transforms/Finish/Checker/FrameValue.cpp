//===- FrameValue.cpp - what registers have of the stack pointer ----------===//
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
  if (X.isAddress() && Y.isAddress() && X.Where == Y.Where &&
      X.IsGeneric == Y.IsGeneric && X.Base == Y.Base && X.Lag == Y.Lag)
    return {Kind::Indexed, 0,      X.Where, X.RestIsMixed || Y.RestIsMixed,
            X.IsGeneric,   X.Base, X.Lag};
  // Threads for which both are Other go on so.
  for (Guard G : {X.Where, Y.Where}) {
    auto IsOtherElsewhere = [&](const FrameValue &V) {
      return V.What == Kind::Other || (V.Where == G && !V.RestIsMixed);
    };
    if (!G.Predicate.empty() && IsOtherElsewhere(X) && IsOtherElsewhere(Y))
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

/// Value in all threads that are looked at.
static FrameValue everywhere(FrameValue Value) {
  Value.Where = {};
  Value.RestIsMixed = false;
  return Value;
}

/// Value for those threads for which G holds.
static FrameValue viewUnder(Guard G, FrameValue Value) {
  if (Value.Where.Predicate.empty())
    return Value;
  if (Value.Where == G)
    return everywhere(Value);
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

FrameValues onlyUnder(Guard G, const FrameValues &Values) {
  FrameValues Left;
  for (const auto &[Place, Value] : Values) {
    FrameValue Seen =
        Value.Where.Predicate == G.Predicate ? viewUnder(G, Value) : Value;
    if (Seen.What != Kind::Other)
      Left[Place] = Seen;
  }
  return Left;
}

FrameValue writtenUnder(Guard G, FrameValue New, FrameValue Old) {
  if (G.Predicate.empty())
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

void forgetGuard(StringRef Predicate, FrameValues &Values) {
  for (auto &[Register, Value] : Values)
    if (!Value.Where.Predicate.empty() && Value.Where.Predicate == Predicate)
      Value = {Kind::Mixed, 0};
}

FrameValue valueOf(const FrameValues &Values, unsigned Place) {
  auto Found = Values.find(Place);
  return Found == Values.end() ? FrameValue() : Found->second;
}

/// The number of the register that Operand is, of a file whose names start with
/// Letters, without a sign; none where it is another thing. RZ is not one.
static std::optional<unsigned> readRegister(StringRef Operand,
                                            StringRef Letters = "R") {
  unsigned Number = 0;
  Operand.consume_back(".reuse");
  if (!Operand.consume_front(Letters) || Operand.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

/// The place of a register, of whatever file.
static std::optional<unsigned> readPlace(StringRef Operand) {
  static constexpr std::pair<const char *, SassFile> Files[] = {
      {"R", SassFile::General},
      {"UR", SassFile::Uniform},
      {"P", SassFile::Predicate},
      {"UP", SassFile::UniformPredicate}};
  for (auto [Letters, File] : Files)
    if (std::optional<unsigned> R = readRegister(Operand, Letters))
      return placeOf(File, *R);
  return std::nullopt;
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

std::optional<FrameAddress> readAddress(StringRef Operand, StringRef Letters) {
  if (!Operand.consume_front("[") || !Operand.consume_back("]"))
    return std::nullopt;
  auto [Base, Rest] = Operand.split('+');
  FrameAddress A;
  std::optional<unsigned> Register = readRegister(Base, Letters);
  if (!Register)
    return std::nullopt;
  A.Register = *Register;
  if (!Rest.empty() && Rest.getAsInteger(0, A.Offset))
    return std::nullopt;
  return A;
}

std::optional<FrameAddress> readGenericAddress(StringRef Operand) {
  if (!Operand.consume_front("desc[UR"))
    return std::nullopt;
  StringRef Address = Operand.drop_front(Operand.find(']') + 1);
  // Its register has the lower half, of 64 bits in all.
  size_t At = Address.find(".64");
  if (At == StringRef::npos)
    return std::nullopt;
  return readAddress((Address.take_front(At) + Address.substr(At + 3)).str());
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
  if (std::optional<unsigned> Place = readPlace(Operand))
    T.Value = valueOf(Values, *Place);
  return T;
}

/// Whether Operand names, in whatever form, a register that is not Other.
static bool mentionsAddress(StringRef Operand, const FrameValues &Values) {
  for (StringRef Sign : {"-", "~", "!", "|"})
    Operand.consume_front(Sign);
  Operand.consume_back("|");
  std::optional<unsigned> Place = readPlace(Operand);
  return Place && valueOf(Values, *Place).What != Kind::Other;
}

/// The sum of terms, one of which must be an address or one of the halves of
/// one; of an address and the window's lower half, a generic address.
static Expected<FrameValue> sumOf(const ListedInstruction &I,
                                  ArrayRef<StringRef> Operands,
                                  const FrameValues &Values) {
  FrameValue Sum;
  int64_t Number = 0;
  bool AllKnown = true, AddsWindow = false, AddsOther = false;
  for (StringRef Operand : Operands) {
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
    if (AddsWindow && (Sum.IsGeneric || Sum.Lag))
      return misuse(I);
    Sum.IsGeneric |= AddsWindow;
    if (!AllKnown)
      Sum.What = Kind::Indexed;
    Sum.Offset = Sum.What == Kind::Known ? Sum.Offset + Number : 0;
    return Sum;
  case Kind::Mixed:
  case Kind::Low:
  case Kind::High:
    // Copies; what is added to upper halves has a carry beside it.
    if (AddsWindow || (AddsOther && Sum.What != Kind::Mixed))
      return misuse(I);
    return Sum;
  case Kind::Other:
  case Kind::Carry:
    break;
  }
  return misuse(I);
}

/// The upper half of a generic address to whose lower half something was added:
/// Terms have one upper half, and among the predicates Carries is the carry.
static Expected<FrameValue> upperSumOf(const ListedInstruction &I,
                                       ArrayRef<StringRef> Terms,
                                       ArrayRef<StringRef> Carries,
                                       const FrameValues &Values) {
  unsigned Halves = 0, FromLower = 0;
  for (StringRef Operand : Terms)
    if (readTerm(Operand, Values).Value.What == Kind::High)
      ++Halves;
    else if (mentionsAddress(Operand, Values))
      return misuse(I);
  for (StringRef Operand : Carries)
    if (readTerm(Operand, Values).Value.What == Kind::Carry)
      ++FromLower;
    else if (mentionsAddress(Operand, Values))
      return misuse(I);
  if (Halves != 1 || FromLower != 1)
    return misuse(I);
  return FrameValue{Kind::High};
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
  return (I.Opcode == "IADD3" || I.Opcode == "UIADD3") &&
         Operands.size() == 5 && Operands[1].ltrim('U').starts_with("P");
}

/// Sums that take a carry in: a product may be one of the terms.
static Expected<FrameValue> sumWithCarry(const ListedInstruction &I,
                                         const FrameValues &Values) {
  auto Operands = I.operands();
  bool IsProduct = I.Opcode == "IMAD.X";
  size_t Predicates = IsProduct ? 1 : 2;
  if (Operands.size() < 4 + 1 || Operands.size() > 4 + Predicates)
    return misuse(I);
  ArrayRef<StringRef> Terms = ArrayRef(Operands).slice(1, 3),
                      Carries = ArrayRef(Operands).drop_front(4);
  if (!IsProduct)
    return upperSumOf(I, Terms, Carries, Values);
  if (readNumber(Terms[1]) == 1)
    return upperSumOf(I, {Terms[0], Terms[2]}, Carries, Values);
  if (mentionsAddress(Terms[0], Values) || mentionsAddress(Terms[1], Values))
    return misuse(I);
  return upperSumOf(I, {Terms[2]}, Carries, Values);
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
  if (IsOneOf({"IADD3.X", "UIADD3.X", "IMAD.X"}))
    return sumWithCarry(I, Values);
  if (IsOneOf({"MOV", "UMOV"}) && Count == 2)
    return sumOf(I, {Operands[1]}, Values);
  if (IsOneOf({"IADD3", "UIADD3"}) && (Count == 4 || givesCarry(I)))
    return sumOf(I, ArrayRef(Operands).take_back(3), Values);
  if (IsOneOf({"VIADD"}) && Count == 3)
    return sumOf(I, ArrayRef(Operands).drop_front(), Values);
  if (IsOneOf({"IMAD", "IMAD.IADD", "IMAD.MOV.U32", "IMAD.U32", "UIMAD"}) &&
      Count == 4)
    return productAndSum(I, Operands, Values);
  if (IsOneOf({"LEA", "ULEA"}) && Count == 4 &&
      !mentionsAddress(Operands[1], Values))
    return sumOf(I, {Operands[2], "?"}, Values);
  if (Base == "SEL" && I.Opcode == Base && Count == 4 &&
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
  if (V.What != FrameValue::Kind::Known)
    return std::nullopt;
  return -V.Offset;
}

bool isOther(const SassRegister &R, const State &S) {
  return valueOf(S.Values, placeOf(R)).What == FrameValue::Kind::Other;
}

/// How many registers from one result on I may write. How many those of
/// textures and of asynchronous tensor instructions are is not in the text.
static unsigned spanOf(const SassInstruction &I) {
  return I.Class == SassClass::Texture || I.Class == SassClass::Tensor ||
                 I.Class == SassClass::Other
             ? 4
             : 1;
}

void write(const ListedInstruction &I, const SassInstruction &R,
           FrameValue Result, FrameValue Carry, State &S) {
  for (const SassRegister &W : R.Writes) {
    S.Foreign.erase({W.File, W.Index});
    bool IsPredicate =
        W.File == SassFile::Predicate || W.File == SassFile::UniformPredicate;
    if (W.File == SassFile::Predicate)
      forgetGuard(("P" + Twine(unsigned{W.Index})).str(), S.Values);
    if (W.File == SassFile::UniformPredicate)
      forgetGuard(("UP" + Twine(unsigned{W.Index})).str(), S.Values);
    unsigned Span = IsPredicate ? 1 : spanOf(R);
    for (unsigned Index = W.Index; Index != W.Index + Span; ++Index) {
      unsigned Place = placeOf(W.File, Index);
      FrameValue Old = valueOf(S.Values, Place);
      FrameValue New =
          writtenUnder(Guard::of(I), IsPredicate ? Carry : Result, Old);
      if (Index != W.Index)
        New = join(Old, New);
      if (New.What == FrameValue::Kind::Other)
        S.Values.erase(Place);
      else
        S.Values[Place] = New;
    }
  }
}

} // namespace regdem::framecheck
