//===- SassArithmetic.cpp - what counters are computed by -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassArithmetic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <numeric>

using namespace llvm;

namespace regdem {

std::optional<uint32_t> constantOf(const SassOperand &O) {
  if (O.isZero())
    return 0;
  if (O.isPredicate() && O.Register.isConstant())
    return !O.IsNegated;
  if (!O.isNumber() || O.Number < INT32_MIN || O.Number > UINT32_MAX)
    return std::nullopt;
  return static_cast<uint32_t>(O.Number);
}

namespace {

using Arithmetic = std::optional<SassArithmetic>;

uint32_t sum(Words W) { return std::accumulate(W.begin(), W.end(), 0u); }

/// P0, PT, R0, 0x40, PT: whether R0 is in relation to 0x40.
Arithmetic readComparison(const SassInstruction &I) {
  // Bits, from the lowest: holds of less, of equal, of greater.
  static constexpr std::pair<StringLiteral, unsigned> Relations[] = {
      {"LT", 1}, {"EQ", 2}, {"LE", 3}, {"GT", 4}, {"NE", 5}, {"GE", 6}};
  ArrayRef<SassOperand> O = I.Operands;
  if (O.size() != 5 || I.has("EX") || I.has("S64") || I.has("U64") ||
      !I.has("AND") || !O[4].isTrue())
    return std::nullopt;
  bool IsUnsigned = I.has("U32");
  for (auto [Name, Holds] : Relations)
    if (I.has(Name))
      return SassArithmetic{
          {O[2], O[3]}, [IsUnsigned, Holds = Holds](Words W) -> uint32_t {
            bool IsLess = IsUnsigned ? W[0] < W[1]
                                     : static_cast<int32_t>(W[0]) <
                                           static_cast<int32_t>(W[1]);
            return Holds >> (IsLess ? 0 : W[0] == W[1] ? 1 : 2) & 1;
          }};
  return std::nullopt;
}

/// P0, PT, PT, PT, UP0, 0x80, 0x0: the bit of a truth table.
Arithmetic readLogic(const SassInstruction &I) {
  ArrayRef<SassOperand> O = I.Operands;
  if (O.size() != 7 || !O[5].isNumber())
    return std::nullopt;
  int64_t Table = O[5].Number;
  return SassArithmetic{{O[2], O[3], O[4]}, [Table](Words W) -> uint32_t {
                          return Table >> (W[0] << 2 | W[1] << 1 | W[2]) & 1;
                        }};
}

/// R0, RZ, 0x1, R2: of the two words in R2 and RZ, one after the shift.
Arithmetic readShift(const SassInstruction &I) {
  ArrayRef<SassOperand> O = I.Operands;
  bool IsLeft = I.has("L");
  if (O.size() != 4 || IsLeft == I.has("HI") || I.has("W") || I.has("S64") ||
      I.has("U64") || !O[IsLeft ? 3 : 1].isZero() || !O[2].isNumber() ||
      O[2].Number < 0 || O[2].Number > 31)
    return std::nullopt;
  auto Bits = static_cast<unsigned>(O[2].Number);
  if (IsLeft)
    return SassArithmetic{{O[1]}, [Bits](Words W) { return W[0] << Bits; }};
  if (I.has("S32"))
    return SassArithmetic{{O[3]}, [Bits](Words W) {
                            return static_cast<uint32_t>(
                                static_cast<int32_t>(W[0]) >> Bits);
                          }};
  return SassArithmetic{{O[3]}, [Bits](Words W) { return W[0] >> Bits; }};
}

/// R0, R2, R4, RZ, 0x1: R4 and what is left of R2 when shifted right by 31, as
/// where a signed integer is to be halved.
Arithmetic readShiftedSum(const SassInstruction &I) {
  ArrayRef<SassOperand> O = I.Operands;
  if (O.size() != 5 || !I.has("HI") || I.has("X") || I.has("SX32") ||
      !O[3].isZero() || !O[4].isNumber() || O[4].Number < 1 || O[4].Number > 31)
    return std::nullopt;
  auto Bits = static_cast<unsigned>(32 - O[4].Number);
  return SassArithmetic{{O[1], O[2]},
                        [Bits](Words W) { return (W[0] >> Bits) + W[1]; }};
}

/// The operands after the result, without the predicates that take carries.
SmallVector<SassOperand, 3> inputsOf(const SassInstruction &I) {
  SmallVector<SassOperand, 3> Inputs;
  for (const SassOperand &O : drop_begin(I.Operands))
    if (!O.isPredicate())
      Inputs.push_back(O);
  return Inputs;
}

Arithmetic readSum(const SassInstruction &I) {
  if (I.has("X") || I.has("64"))
    return std::nullopt;
  return SassArithmetic{inputsOf(I), sum};
}

Arithmetic readProduct(const SassInstruction &I) {
  SmallVector<SassOperand, 3> Inputs = inputsOf(I);
  if (Inputs.size() != 3 || I.has("X") || I.has("WIDE") || I.has("HI"))
    return std::nullopt;
  return SassArithmetic{std::move(Inputs),
                        [](Words W) { return W[0] * W[1] + W[2]; }};
}

/// ptxas loads constants with the half-precision pipe, too: as two halves.
Arithmetic readHalves(const SassInstruction &I) {
  ArrayRef<SassOperand> O = I.Operands;
  if (O.size() != 4 || !O[1].isRegister() || !O[1].Register.isConstant() ||
      !O[2].isZero())
    return std::nullopt;
  return SassArithmetic{{O[3]}, sum};
}

Arithmetic readCopy(const SassInstruction &I) {
  return I.Operands.size() == 2 ? readSum(I) : std::nullopt;
}

Arithmetic readAny(const SassInstruction &I) {
  using Reader = Arithmetic (*)(const SassInstruction &);
  StringRef Base = I.base();
  Base.consume_front("U");
  auto Read = StringSwitch<Reader>(Base)
                  .Case("MOV", readCopy)
                  .Cases({"IADD3", "VIADD", "IADD"}, readSum)
                  .Case("IMAD", readProduct)
                  .Case("HFMA2", readHalves)
                  .Case("SHF", readShift)
                  .Case("LEA", readShiftedSum)
                  .Case("ISETP", readComparison)
                  .Case("PLOP3", readLogic)
                  .Default(nullptr);
  return Read ? Read(I) : std::nullopt;
}

} // namespace

std::optional<SassArithmetic> readArithmetic(const SassInstruction &I,
                                             SassRegister Result) {
  if (I.isPredicated() || I.Operands.empty())
    return std::nullopt;
  // Zero, in one register or in two.
  if (I.base() == "CS2R" && I.Operands.back().Text == "SRZ")
    return SassArithmetic{{}, sum};
  if (I.Operands.front().Register != Result)
    return std::nullopt;
  Arithmetic A = readAny(I);
  auto IsWord = [](const SassOperand &O) {
    return constantOf(O) || O.isPredicate() || O.isPlain();
  };
  return A && all_of(A->Inputs, IsWord) ? A : std::nullopt;
}

} // namespace regdem
