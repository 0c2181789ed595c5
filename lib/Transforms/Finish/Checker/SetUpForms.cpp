//===- SetUpForms.cpp - instructions that set up a frame ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table was read from code that ptxas 13.0 wrote for sm_75, 80, 86, 87, 89
// and 90: which bits an opcode always has, and which vary with its operands.
//
//===----------------------------------------------------------------------===//

#include "SetUpForms.h"

using namespace llvm;

namespace regdem::framecheck {

namespace {

enum class FieldKind : uint8_t {
  None,
  Register,
  Uniform,
  Immediate,
  Constant,
  Special
};
using K = FieldKind;

/// Where an operand stands in the encoding: the bits from From on.
struct Place {
  K What = K::None;
  unsigned From = 0, Bits = 0;
  unsigned Slot = 0; ///< For reuse.
};

constexpr Place No, R16{K::Register, 16, 8}, R24{K::Register, 24, 8, 0},
    R32{K::Register, 32, 8, 1}, R64{K::Register, 64, 8, 2},
    U16{K::Uniform, 16, 6}, U24{K::Uniform, 24, 6}, U32{K::Uniform, 32, 6},
    U64{K::Uniform, 64, 6}, I32{K::Immediate, 32, 32},
    C40{K::Constant, 40, 19}, // Bank in bits 54 to 58, word in 40 to 53.
    S72{K::Special, 72, 8};

struct Form {
  unsigned Opcode;
  uint64_t Low, High; ///< Bits that are set beside opcode and guard.
  Operation What;
  Unit By;
  Place Result, A, B, C;
  bool HasShift = false; ///< By the number in bits 75 to 79.
};

using O = Operation;
using U = Unit;

/// Bits 24 to 31 and 64 to 71: RZ as an operand that does not count; likewise
/// URZ in bits 64 to 69.
constexpr uint64_t NoA = 0xffull << 24, NoC = 0xff, NoUniformC = 0x3f;

constexpr Form Forms[] = {
    // S2R, S2UR, LDC, ULDC.
    {0x919, 0, 0, O::Value, U::Variable, R16, S72, No, No},
    {0x9c3, 0, 0, O::Value, U::Variable, U16, S72, No, No},
    {0xb82, NoA, 0x800, O::Value, U::Variable, R16, C40, No, No},
    {0xab9, 0, 0x800, O::Value, U::UniformMove, U16, C40, No, No},
    // MOV, UMOV.
    {0x202, 0, 0xf00, O::Value, U::Alu, R16, R32, No, No},
    {0x802, 0, 0xf00, O::Value, U::Alu, R16, I32, No, No},
    {0xa02, 0, 0xf00, O::Value, U::Alu, R16, C40, No, No},
    {0xc02, 0, 0x8000f00, O::Value, U::Alu, R16, U32, No, No},
    {0x882, 0, 0, O::Value, U::UniformMove, U16, I32, No, No},
    {0xc82, 0, 0x8000000, O::Value, U::UniformMove, U16, U32, No, No},
    // HFMA2.MMA with -RZ and RZ as factors and two halves as the sum.
    {0x435, NoA, 0x1ff, O::Value, U::Half, R16, I32, No, No},
    // IMAD, UIMAD.
    {0x224, 0, 0x78e0200, O::MulAdd, U::Multiply, R16, R24, R32, R64},
    {0x824, 0, 0x78e0200, O::MulAdd, U::Multiply, R16, R24, I32, R64},
    {0x424, 0, 0x78e0200, O::MulAdd, U::Multiply, R16, R24, R64, I32},
    {0xa24, 0, 0x78e0200, O::MulAdd, U::Multiply, R16, R24, C40, R64},
    {0x624, 0, 0x78e0200, O::MulAdd, U::Multiply, R16, R24, R64, C40},
    {0xc24, 0, 0xf8e0200, O::MulAdd, U::Multiply, R16, R24, U32, R64},
    {0xe24, 0, 0xf8e0200, O::MulAdd, U::Multiply, R16, R24, R64, U32},
    {0x2a4, 0, 0xf8e0200, O::MulAdd, U::Uniform, U16, U24, U32, U64},
    {0x8a4, 0, 0xf8e0200, O::MulAdd, U::Uniform, U16, U24, I32, U64},
    // VIADD, IADD3, UIADD3.
    {0x836, 0, 0, O::Add, U::Multiply, R16, R24, I32, No},
    {0xc36, 0, 0x8000000, O::Add, U::Multiply, R16, R24, U32, No},
    {0x210, 0, 0x7ffe000, O::Add, U::Alu, R16, R24, R32, R64},
    {0x810, 0, 0x7ffe000, O::Add, U::Alu, R16, R24, I32, R64},
    {0xa10, 0, 0x7ffe000, O::Add, U::Alu, R16, R24, C40, R64},
    {0xc10, 0, 0xfffe000, O::Add, U::Alu, R16, R24, U32, R64},
    {0x290, 0, 0xfffe000, O::Add, U::Uniform, U16, U24, U32, U64},
    {0x890, 0, 0xfffe000, O::Add, U::Uniform, U16, U24, I32, U64},
    // LEA, ULEA.
    {0x211, 0, 0x78e0000 | NoC, O::ShiftAdd, U::Alu, R16, R24, R32, No, true},
    {0x811, 0, 0x78e0000 | NoC, O::ShiftAdd, U::Alu, R16, R24, I32, No, true},
    {0xa11, 0, 0x78e0000 | NoC, O::ShiftAdd, U::Alu, R16, R24, C40, No, true},
    {0xc11, 0, 0xf8e0000 | NoC, O::ShiftAdd, U::Alu, R16, R24, U32, No, true},
    {0x291, 0, 0xf8e0000 | NoUniformC, O::ShiftAdd, U::Uniform, U16, U24, U32,
     No, true},
    {0x891, 0, 0xf8e0000 | NoUniformC, O::ShiftAdd, U::Uniform, U16, U24, I32,
     No, true},
    // SHF, USHF, LOP3, ULOP3.
    {0x819, 0, 0x600, O::ShiftLeft, U::Alu, R16, R24, I32, R64},
    {0x899, 0, 0x8000600, O::ShiftLeft, U::Uniform, U16, U24, I32, U64},
    {0x812, 0, 0x78ec000, O::And, U::Alu, R16, R24, I32, R64},
    {0x892, 0, 0xf8ec000, O::And, U::Uniform, U16, U24, I32, U64},
};

SassOperand operandAt(Word W, const Place &P) {
  unsigned Bits = W.field(P.From, P.Bits);
  SassOperand O;
  switch (P.What) {
  case K::None:
    break;
  case K::Register:
    return SassOperand::general(Bits);
  case K::Uniform:
    return uniformOperand(Bits);
  case K::Immediate:
    return SassOperand::number(Bits);
  case K::Constant:
    O.What = SassOperand::Kind::Constant;
    O.Bank = static_cast<uint8_t>(Bits >> 14);
    O.Number = (Bits & 0x3fff) * 4;
    break;
  case K::Special:
    O.Text = "SR";
    O.Number = Bits;
  }
  return O;
}

/// Whether the factors of an IMAD have signs. The lower 32 bits of a product
/// are the same either way.
constexpr uint64_t SignedMask = 0x200;

bool isSigned(Word W) { return W.High & SignedMask; }

/// Whether ptxas writes I, an IMAD, without signs: IMAD.MOV.U32, IMAD.U32 and
/// IMAD.SHL.U32.
bool isCopyOrShift(const SetUpInstruction &I) {
  const auto &[A, B, C] = I.Sources;
  bool IsPower =
      B.isNumber() && B.Number > 1 && (B.Number & (B.Number - 1)) == 0;
  return (A.isZero() && B.isZero()) || (IsPower && C.isZero());
}

bool matches(const Form &F, Word W) {
  constexpr uint64_t ShiftMask = 0x1full << 11;
  Word Free; // Bits of operands.
  for (const Place &P : {F.Result, F.A, F.B, F.C})
    Free.set(P.From, P.Bits, ~0ULL);
  if (F.HasShift)
    Free.High |= ShiftMask;
  if (F.What == Operation::MulAdd && F.By == Unit::Multiply)
    Free.High |= SignedMask;
  return (W.Low & ~Free.Low) == (F.Opcode | 0x7000 | F.Low) &&
         (W.plainHigh() & ~Free.High) == (F.High & ~Free.High);
}

} // namespace

std::optional<SetUpInstruction> decodeSetUp(Word W) {
  for (const Form &F : Forms) {
    if (!matches(F, W))
      continue;
    SetUpInstruction I;
    I.What = F.What;
    I.By = F.By;
    I.Result = operandAt(W, F.Result);
    I.Sources = {operandAt(W, F.A), operandAt(W, F.B), operandAt(W, F.C)};
    I.Slots = {F.A.Slot, F.B.Slot, F.C.Slot};
    I.Shift = F.HasShift ? W.High >> 11 & 31 : 0;
    I.Scheduling = W.control();
    if (F.What == Operation::MulAdd && F.By == Unit::Multiply &&
        isSigned(W) == isCopyOrShift(I))
      return std::nullopt;
    // AND and shifts of 32 bits have a third operand that is 0.
    bool ThirdIsZero =
        F.What == Operation::And || F.What == Operation::ShiftLeft;
    if (ThirdIsZero && !I.Sources[2].isZero())
      return std::nullopt;
    return I;
  }
  return std::nullopt;
}

} // namespace regdem::framecheck
