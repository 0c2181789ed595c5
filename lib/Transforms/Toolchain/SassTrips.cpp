//===- SassTrips.cpp - iterations that the code itself shows --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is counted where one register starts as a constant, is stepped by a
// constant once an iteration and is compared with a constant by the only
// branch that leaves:
//
//   MOV R0, RZ
//   L: …
//   IADD3 R0, R0, 0x1, RZ
//   ISETP.NE.AND P0, PT, R0, 0x40, PT
//   @P0 BRA L
//
//===----------------------------------------------------------------------===//

#include "SassDecode.h"
#include "SassGraph.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

namespace {

/// Counts beyond this are no better than a guess.
constexpr unsigned MaxTrips = 1u << 16;
/// Blocks in front of the loop that are searched for the start value.
constexpr unsigned MaxBlocksBack = 16;

std::optional<int32_t> readConstant(StringRef Operand) {
  if (Operand == "RZ" || Operand == "URZ")
    return 0;
  int64_t Value = 0;
  if (Operand.getAsInteger(0, Value) || Value < INT32_MIN || Value > UINT32_MAX)
    return std::nullopt;
  return static_cast<int32_t>(Value);
}

/// The bits of a half-precision constant.
std::optional<uint32_t> readHalf(StringRef Operand) {
  APFloat Value(APFloat::IEEEhalf());
  Expected<APFloat::opStatus> Status =
      Value.convertFromString(Operand, APFloat::rmNearestTiesToEven);
  if (!Status) {
    consumeError(Status.takeError());
    return std::nullopt;
  }
  return Value.bitcastToAPInt().getZExtValue();
}

/// Operands without the mark that the register is kept at hand.
SmallVector<StringRef, 6> plainOperands(const SassInstruction &I) {
  SmallVector<StringRef, 6> Operands = splitOperands(I.Operands);
  for (StringRef &O : Operands)
    O.consume_back(".reuse");
  return Operands;
}

/// The constant that I puts into its only result.
std::optional<int32_t> constantResult(const SassInstruction &I) {
  SmallVector<StringRef, 6> Operands = plainOperands(I);
  if (I.Predicated || Operands.size() < 2)
    return std::nullopt;
  StringRef Base = baseOpcode(I.Opcode);
  if (Base == "CS2R")
    return Operands[1] == "SRZ" ? std::optional<int32_t>(0) : std::nullopt;
  if (I.Class == SassClass::Move &&
      (Base != "IMAD" || (Operands[1] == "RZ" && Operands[2] == "RZ")))
    return readConstant(Operands[Base == "IMAD" ? 3 : 1]);
  // ptxas loads constants with the half-precision pipe, too: as two halves.
  if (Base == "HFMA2" && Operands.size() == 5 && Operands[1] == "-RZ" &&
      Operands[2] == "RZ") {
    auto High = readHalf(Operands[3]), Low = readHalf(Operands[4]);
    if (High && Low)
      return static_cast<int32_t>(*High << 16 | *Low);
  }
  return std::nullopt;
}

/// The constant by which I steps R; none where it does something else.
std::optional<int32_t> stepOf(const SassInstruction &I, StringRef R) {
  StringRef Base = baseOpcode(I.Opcode);
  if (I.Predicated ||
      !is_contained({"IADD3", "UIADD3", "VIADD", "IADD", "UIADD"}, Base) ||
      hasModifier(I.Opcode, "X") || hasModifier(I.Opcode, "64"))
    return std::nullopt;
  SmallVector<StringRef, 6> Operands = plainOperands(I);
  llvm::erase_if(Operands, [](StringRef O) {
    return O == "PT" || O == "UPT" || O == "!PT" || O == "!UPT";
  });
  if (Operands.size() < 3 || Operands[0] != R || Operands[1] != R)
    return std::nullopt;
  if (Operands.size() == 4 && Operands[3] != "RZ" && Operands[3] != "URZ")
    return std::nullopt;
  return readConstant(Operands[2]);
}

/// A comparison of a register with a constant.
struct Comparison {
  StringRef Register, Relation;
  bool Unsigned = false;
  int32_t Limit = 0;

  bool holds(int32_t Value) const {
    int64_t A = Unsigned ? static_cast<uint32_t>(Value) : int64_t(Value);
    int64_t B = Unsigned ? static_cast<uint32_t>(Limit) : int64_t(Limit);
    if (Relation == "EQ")
      return A == B;
    if (Relation == "NE")
      return A != B;
    if (Relation == "LT")
      return A < B;
    if (Relation == "LE")
      return A <= B;
    if (Relation == "GT")
      return A > B;
    return A >= B;
  }
};

std::optional<Comparison> readComparison(const SassInstruction &I,
                                         StringRef Predicate) {
  StringRef Base = baseOpcode(I.Opcode);
  if (I.Predicated || (Base != "ISETP" && Base != "UISETP") ||
      hasModifier(I.Opcode, "EX") || !hasModifier(I.Opcode, "AND"))
    return std::nullopt;
  SmallVector<StringRef, 6> Operands = plainOperands(I);
  if (Operands.size() != 5 || Operands[0] != Predicate ||
      !Operands[1].ends_with("PT") || !is_contained({"PT", "UPT"}, Operands[4]))
    return std::nullopt;
  std::optional<int32_t> Limit = readConstant(Operands[3]);
  StringRef Relation = StringRef(I.Opcode).split('.').second.split('.').first;
  if (!Limit || !is_contained({"EQ", "NE", "LT", "LE", "GT", "GE"}, Relation))
    return std::nullopt;
  return Comparison{Operands[2], Relation, hasModifier(I.Opcode, "U32"),
                    *Limit};
}

/// The last instruction of the block that writes R; none if none does.
std::optional<size_t> lastWrite(const SassBlock &B, SassRegister R) {
  for (size_t N = B.Instructions.size(); N--;)
    if (is_contained(B.Instructions[N].Writes, R))
      return N;
  return std::nullopt;
}

/// One loop that may be counted.
class Counter {
public:
  Counter(const SassKernel &K, unsigned Loop) : K(K), Loop(Loop) {}
  std::optional<double> count() const;

private:
  const SassKernel &K;
  unsigned Loop;

  std::optional<unsigned> onlyLatch() const;
  std::optional<int32_t> start(SassRegister R) const;
  std::optional<std::pair<unsigned, size_t>> onlyWrite(SassRegister R) const;
  std::optional<unsigned> onlyPredecessor(unsigned B, bool OutsideOnly) const;
};

/// The block with the only back edge, if it is the only one that leaves, too.
std::optional<unsigned> Counter::onlyLatch() const {
  std::optional<unsigned> Latch;
  unsigned Header = K.Loops[Loop].Header;
  for (unsigned B = 0; B != K.Blocks.size(); ++B) {
    if (!isInLoop(K, B, Loop))
      continue;
    // A call may change any register.
    if (K.Blocks[B].Callee)
      return std::nullopt;
    bool Special = K.Blocks[B].Successors.empty();
    for (unsigned S : K.Blocks[B].Successors)
      Special |= S == Header || !isInLoop(K, S, Loop);
    if (Special && Latch)
      return std::nullopt;
    if (Special)
      Latch = B;
  }
  return Latch;
}

std::optional<unsigned> Counter::onlyPredecessor(unsigned B,
                                                 bool OutsideOnly) const {
  std::optional<unsigned> Only;
  for (unsigned P = 0; P != K.Blocks.size(); ++P) {
    if (!is_contained(K.Blocks[P].Successors, B) ||
        (OutsideOnly && isInLoop(K, P, Loop)))
      continue;
    if (Only)
      return std::nullopt;
    Only = P;
  }
  return Only;
}

/// The constant in R when the loop is entered.
std::optional<int32_t> Counter::start(SassRegister R) const {
  std::optional<unsigned> B = onlyPredecessor(K.Loops[Loop].Header, true);
  for (unsigned Steps = 0; B && Steps != MaxBlocksBack; ++Steps) {
    if (K.Blocks[*B].Callee)
      return std::nullopt;
    if (auto N = lastWrite(K.Blocks[*B], R))
      return constantResult(K.Blocks[*B].Instructions[*N]);
    B = onlyPredecessor(*B, false);
  }
  return std::nullopt;
}

/// Block and place of the only instruction in the loop that writes R.
std::optional<std::pair<unsigned, size_t>>
Counter::onlyWrite(SassRegister R) const {
  std::optional<std::pair<unsigned, size_t>> Only;
  for (unsigned B = 0; B != K.Blocks.size(); ++B) {
    if (!isInLoop(K, B, Loop))
      continue;
    const auto &Code = K.Blocks[B].Instructions;
    for (size_t N = 0; N != Code.size(); ++N)
      if (is_contained(Code[N].Writes, R)) {
        if (Only)
          return std::nullopt;
        Only = {B, N};
      }
  }
  return Only;
}

/// The condition under which I jumps, as text; empty where it has none or two.
static StringRef conditionOf(const SassInstruction &I) {
  SmallVector<StringRef, 6> Operands = splitOperands(I.Operands);
  if (I.Predicated)
    return Operands.size() == 1 ? StringRef(I.Guard) : "";
  return Operands.size() == 2 ? Operands[0] : "";
}

std::optional<double> Counter::count() const {
  std::optional<unsigned> Latch = onlyLatch();
  unsigned Header = K.Loops[Loop].Header;
  // The branch goes back where its condition holds: the header is not what
  // stands behind it.
  if (!Latch || K.Blocks[*Latch].Loop != Loop ||
      K.Blocks[*Latch].Successors.size() != 2 || Header == *Latch + 1)
    return std::nullopt;
  const SassBlock &Last = K.Blocks[*Latch];
  if (baseOpcode(Last.Instructions.back().Opcode) != "BRA")
    return std::nullopt;
  StringRef Condition = conditionOf(Last.Instructions.back());
  bool Negated = Condition.consume_front("!");
  std::optional<SassRegister> Predicate = readRegister(Condition);
  if (!Predicate)
    return std::nullopt;
  std::optional<size_t> Compared = lastWrite(Last, *Predicate);
  if (!Compared)
    return std::nullopt;
  auto Test = readComparison(Last.Instructions[*Compared], Condition);
  std::optional<SassRegister> R =
      Test ? readRegister(Test->Register) : std::nullopt;
  if (!R)
    return std::nullopt;
  auto Place = onlyWrite(*R);
  if (!Place || K.Blocks[Place->first].Loop != Loop ||
      (Place->first != Header && Place->first != *Latch))
    return std::nullopt;
  auto Step = stepOf(K.Blocks[Place->first].Instructions[Place->second],
                     Test->Register);
  std::optional<int32_t> Value = start(*R);
  if (!Step || !Value)
    return std::nullopt;
  bool TestedBefore = Place->first == *Latch && Place->second > *Compared;
  auto Count = static_cast<uint32_t>(*Value);
  for (unsigned Trips = 1; Trips <= MaxTrips; ++Trips) {
    uint32_t Next = Count + static_cast<uint32_t>(*Step);
    if (Test->holds(static_cast<int32_t>(TestedBefore ? Count : Next)) ==
        Negated)
      return Trips;
    Count = Next;
  }
  return std::nullopt;
}

} // namespace

std::optional<double> constantTrips(const SassKernel &K, unsigned L) {
  return Counter(K, L).count();
}

} // namespace regdem
