//===- Rewrites.cpp - instructions that a move makes others ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rewrites.h"

#include <tuple>

using namespace llvm;

namespace regdem::framecheck {

namespace {

constexpr uint64_t ZeroRegister = 0xff;

/// Registers by their lowest bit.
constexpr uint64_t resultIs(uint64_t R) { return R << 16; }
constexpr uint64_t firstIs(uint64_t R) { return R << 24; }
constexpr uint64_t secondIs(uint64_t R) { return R << 32; }

/// A word with the control bits of Like.
Word wordOf(uint64_t Low, uint64_t High, Word Like) {
  return {Low | Unguarded, High | (Like.High & Word::ControlMask)};
}

/// R2UR, its source apart.
Word fromGeneral(unsigned Result, uint64_t Source, Word Like) {
  return wordOf(0x2ca | resultIs(Result) | firstIs(Source), 0xe0000, Like);
}

/// ULDC of a word of the constant bank.
Word loadConstant(unsigned Result, uint64_t Offset, Word Like) {
  return wordOf(0xab9 | resultIs(Result) | Offset / 4 << 40, 0x800, Like);
}

/// LDC of one.
Word loadConstantGeneral(uint64_t Result, uint64_t Offset, Word Like) {
  return wordOf(0xb82 | resultIs(Result) | firstIs(ZeroRegister) |
                    Offset / 4 << 40,
                0x800, Like);
}

/// S2R.
Word readSpecial(uint64_t Result, uint64_t Special, Word Like) {
  return wordOf(0x919 | resultIs(Result), Special << 8, Like);
}

Word moveUniform(unsigned Result, unsigned Source, Word Like) {
  return wordOf(0xc82 | resultIs(Result) | secondIs(Source), 0x8000000, Like);
}

} // namespace

static SassOperand general(uint64_t R) {
  return SassOperand::general(static_cast<unsigned>(R));
}

/// The change of a sum with a uniform address, which the first factor may be
/// kept by; none where Before and After are not one.
static std::optional<Rewrite> findSum(Word Before, Word After) {
  // In the upper word: no carry, and the uniform register as third operand.
  constexpr uint64_t Plain = 0x78e0000, HasUniform = 0x8000000, Signed = 0x200;
  unsigned Kept = Before.control().Reuse;
  if (Kept > 1)
    return std::nullopt;
  uint64_t Result = Before.Low >> 16 & 0xff, First = Before.Low >> 24 & 0xff;
  auto Source = static_cast<unsigned>(Before.Low >> 32 & ZeroUniform);
  uint64_t Operands = resultIs(Result) | firstIs(First);
  uint64_t Uniform = Operands | secondIs(Source);
  SassOperand Factor = general(First);
  Factor.IsKept = Kept;
  uint64_t Shift = Before.High >> 11 & 0x1f;
  uint64_t Rest = Shift << 11 | ZeroRegister;
  if (Before == wordOf(0xc11 | Uniform, Plain | HasUniform | Rest, Before) &&
      After == wordOf(0x211 | Operands | secondIs(StackPointer), Plain | Rest,
                      Before))
    return Rewrite{Rewrite::Kind::Scaled,
                   Source,
                   "LEA",
                   {general(Result), Factor, general(StackPointer),
                    SassOperand::number(static_cast<int64_t>(Shift))}};
  uint64_t Second = Before.High & 0xff;
  if (Before == wordOf(0xe24 | Uniform, Plain | HasUniform | Signed | Second,
                       Before) &&
      After == wordOf(0x224 | Operands | secondIs(Second),
                      Plain | Signed | StackPointer, Before))
    return Rewrite{
        Rewrite::Kind::Product,
        Source,
        "IMAD",
        {general(Result), Factor, general(Second), general(StackPointer)}};
  return std::nullopt;
}

std::optional<Rewrite> findRewrite(Word Before, Word After) {
  using Kind = Rewrite::Kind;
  if (std::optional<Rewrite> Sum = findSum(Before, After))
    return Sum;
  // What R1 is kept for goes without.
  constexpr uint64_t KeepsFirst = 1ull << 58;
  auto UniformResult = static_cast<unsigned>(Before.Low >> 16 & ZeroUniform);
  if (Before == fromGeneral(UniformResult, StackPointer, Before) &&
      After == fromGeneral(UniformResult, ZeroRegister,
                           {Before.Low, Before.High & ~KeepsFirst}))
    return Rewrite{Kind::FromStackPointer,
                   ZeroUniform,
                   "R2UR",
                   {uniformOperand(UniformResult), general(ZeroRegister)}};
  // No other change keeps operands of its predecessor.
  if (Before.control().Reuse)
    return std::nullopt;
  auto General = static_cast<unsigned>(Before.Low >> 16 & 0xff);
  unsigned Uniform = General & ZeroUniform;
  auto Source = static_cast<unsigned>(Before.Low >> 32 & ZeroUniform);
  // MOV, and IADD3 with RZ as its third operand.
  if (Before == wordOf(0xc02 | resultIs(General) | secondIs(Source), 0x8000f00,
                       Before) &&
      After == wordOf(0xc10 | resultIs(General) | firstIs(StackPointer) |
                          secondIs(Source),
                      0xfffe0ff, Before))
    return Rewrite{Kind::ToGeneral,
                   Source,
                   "IADD3",
                   {general(General), general(StackPointer),
                    uniformOperand(Source), general(ZeroRegister)}};
  // IMAD.U32 with RZ as both factors, and VIADD.
  if (Before == wordOf(0xe24 | resultIs(General) | firstIs(ZeroRegister) |
                           secondIs(Source),
                       0xf8e00ff, Before) &&
      After == wordOf(0xc36 | resultIs(General) | firstIs(StackPointer) |
                          secondIs(Source),
                      0x8000000, Before))
    return Rewrite{
        Kind::ToGeneral,
        Source,
        "VIADD",
        {general(General), general(StackPointer), uniformOperand(Source)}};
  if (Before == loadConstant(Uniform, 0x20, Before) &&
      After == moveUniform(Uniform, ZeroUniform, Before))
    return Rewrite{Kind::WindowLow,
                   ZeroUniform,
                   "UMOV",
                   {uniformOperand(Uniform), uniformOperand(ZeroUniform)}};
  auto Window = static_cast<unsigned>(After.Low >> 32 & ZeroUniform);
  if (Before == loadConstant(Uniform, 0x24, Before) && Window != ZeroUniform &&
      After == moveUniform(Uniform, Window, Before))
    return Rewrite{Kind::WindowHigh,
                   Window,
                   "UMOV",
                   {uniformOperand(Uniform), uniformOperand(Window)}};
  for (auto [What, Offset, Special, Name] :
       {std::tuple(Kind::WindowLow, 0x20u, 0xffu, "SRZ"),
        std::tuple(Kind::WindowHigh, 0x24u, 0x2fu, "SR_SWINHI")})
    if (Before == loadConstantGeneral(General, Offset, Before) &&
        After == readSpecial(General, Special, Before))
      return Rewrite{What,
                     ZeroUniform,
                     "S2R",
                     {general(General), SassOperand::name(Name)}};
  return std::nullopt;
}

} // namespace regdem::framecheck
