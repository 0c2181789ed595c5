//===- SassArithmetic.cpp - instructions that count loops -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassArithmetic.h"

#include "SassDecode.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

static std::optional<int32_t> readConstant(StringRef Operand) {
  if (Operand == "RZ" || Operand == "URZ")
    return 0;
  int64_t Value = 0;
  if (Operand.getAsInteger(0, Value) || Value < INT32_MIN || Value > UINT32_MAX)
    return std::nullopt;
  return static_cast<int32_t>(Value);
}

/// The bits of a half-precision constant.
static std::optional<uint32_t> readHalf(StringRef Operand) {
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
static SmallVector<StringRef, 6> plainOperands(const SassInstruction &I) {
  SmallVector<StringRef, 6> Operands = splitOperands(I.Operands);
  for (StringRef &O : Operands)
    O.consume_back(".reuse");
  return Operands;
}

/// The constant that I writes, as far as its low word goes.
static std::optional<int32_t> lowConstant(const SassInstruction &I) {
  SmallVector<StringRef, 6> Operands = plainOperands(I);
  StringRef Base = baseOpcode(I.Opcode);
  if (Base == "CS2R" && Operands.size() == 2 && Operands[1] == "SRZ")
    return 0;
  if (Base == "IMAD" && I.Class == SassClass::Move && Operands.size() == 4 &&
      Operands[1] == "RZ" && Operands[2] == "RZ")
    return readConstant(Operands[3]);
  if (Base != "IMAD" && I.Class == SassClass::Move && Operands.size() == 2)
    return readConstant(Operands[1]);
  // ptxas loads constants with the half-precision pipe, too: as two halves.
  if (Base == "HFMA2" && Operands.size() == 5 && Operands[1] == "-RZ" &&
      Operands[2] == "RZ") {
    auto High = readHalf(Operands[3]), Low = readHalf(Operands[4]);
    if (High && Low)
      return static_cast<int32_t>(*High << 16 | *Low);
  }
  return std::nullopt;
}

std::optional<int32_t> constantResult(const SassInstruction &I) {
  std::optional<int32_t> Low = lowConstant(I);
  // Of a constant of 64 bits both words are the same only if it is 0.
  if (I.Predicated || (Low && *Low != 0 && I.Writes.size() != 1))
    return std::nullopt;
  return Low;
}

std::optional<Addition> readAddition(const SassInstruction &I) {
  StringRef Base = baseOpcode(I.Opcode);
  if (I.Predicated ||
      !is_contained({"IADD3", "UIADD3", "VIADD", "IADD", "UIADD"}, Base) ||
      hasModifier(I.Opcode, "X") || hasModifier(I.Opcode, "64"))
    return std::nullopt;
  SmallVector<StringRef, 6> Operands = plainOperands(I);
  llvm::erase_if(Operands, [](StringRef O) { return O.ends_with("PT"); });
  bool Sum = Operands.size() == 3 ||
             (Operands.size() == 4 && is_contained({"RZ", "URZ"}, Operands[3]));
  std::optional<int32_t> Constant =
      Sum ? readConstant(Operands[2]) : std::nullopt;
  if (!Constant)
    return std::nullopt;
  return Addition{Operands[0], Operands[1], *Constant};
}

bool Comparison::holds(int32_t Value) const {
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

std::optional<Comparison> readComparison(const SassInstruction &I,
                                         StringRef Predicate) {
  StringRef Base = baseOpcode(I.Opcode);
  if (I.Predicated || (Base != "ISETP" && Base != "UISETP") ||
      hasModifier(I.Opcode, "EX") || !hasModifier(I.Opcode, "AND"))
    return std::nullopt;
  SmallVector<StringRef, 6> Operands = plainOperands(I);
  if (Operands.size() != 5 || Operands[0] != Predicate ||
      !Operands[1].ends_with("PT") || !isTrue(Operands[4]))
    return std::nullopt;
  std::optional<int32_t> Limit = readConstant(Operands[3]);
  StringRef Relation = StringRef(I.Opcode).split('.').second.split('.').first;
  if (!Limit || !is_contained({"EQ", "NE", "LT", "LE", "GT", "GE"}, Relation))
    return std::nullopt;
  return Comparison{Operands[2], Relation, hasModifier(I.Opcode, "U32"),
                    *Limit};
}

StringRef copiedPredicate(const SassInstruction &I) {
  if (I.Predicated || baseOpcode(I.Opcode) != "PLOP3")
    return "";
  // P0, PT, PT, PT, UP0, 0x80, 0x0: of three inputs all, and two are true.
  SmallVector<StringRef, 6> Operands = splitOperands(I.Operands);
  bool IsAnd = Operands.size() == 7 && isTrue(Operands[1]) &&
               isTrue(Operands[2]) && isTrue(Operands[3]) &&
               Operands[5] == "0x80";
  return IsAnd && Operands[4].starts_with("UP") && !isTrue(Operands[4])
             ? Operands[4]
             : "";
}

} // namespace regdem
