//===- Rewrites.cpp - instructions that a move makes others ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rewrites.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace regdem::framecheck {

namespace {

constexpr uint64_t ZeroRegister = 0xff, ZeroUniform = 0x3f;

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

Word moveUniform(unsigned Result, unsigned Source, Word Like) {
  return wordOf(0xc82 | resultIs(Result) | secondIs(Source), 0x8000000, Like);
}

} // namespace

static std::string registerName(uint64_t R) {
  return R == ZeroRegister ? "RZ" : "R" + utostr(R);
}

static std::string uniformName(uint64_t R) {
  return R == ZeroUniform ? "URZ" : "UR" + utostr(R);
}

/// The change of a sum with a uniform address, which the first factor may be
/// kept by; none where Before and After are not one.
static std::optional<Rewrite> findSum(Word Before, Word After) {
  // In the upper word: no carry, and the uniform register as third operand.
  constexpr uint64_t Plain = 0x78e0000, HasUniform = 0x8000000, Signed = 0x200;
  unsigned Kept = controlOf(Before).Reuse;
  if (Kept > 1)
    return std::nullopt;
  uint64_t Result = Before.Low >> 16 & 0xff, First = Before.Low >> 24 & 0xff;
  auto Source = static_cast<unsigned>(Before.Low >> 32 & ZeroUniform);
  uint64_t Operands = resultIs(Result) | firstIs(First);
  uint64_t Uniform = Operands | secondIs(Source);
  std::string Text = " R" + utostr(Result) + ", " + registerName(First) +
                     (Kept ? ".reuse, " : ", ");
  uint64_t Shift = Before.High >> 11 & 0x1f;
  uint64_t Rest = Shift << 11 | ZeroRegister;
  if (Before == wordOf(0xc11 | Uniform, Plain | HasUniform | Rest, Before) &&
      After == wordOf(0x211 | Operands | secondIs(StackPointer), Plain | Rest,
                      Before))
    return Rewrite{Rewrite::Kind::Scaled, Source,
                   "LEA" + Text + "R1, 0x" +
                       utohexstr(Shift, /*LowerCase=*/true)};
  uint64_t Second = Before.High & 0xff;
  if (Before == wordOf(0xe24 | Uniform, Plain | HasUniform | Signed | Second,
                       Before) &&
      After == wordOf(0x224 | Operands | secondIs(Second),
                      Plain | Signed | StackPointer, Before))
    return Rewrite{Rewrite::Kind::Product, Source,
                   "IMAD" + Text + registerName(Second) + ", R1"};
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
    return Rewrite{Kind::FromStackPointer, ZeroUniform,
                   "R2UR UR" + utostr(UniformResult) + ", RZ"};
  // No other change keeps operands of its predecessor.
  if (controlOf(Before).Reuse)
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
    return Rewrite{Kind::ToGeneral, Source,
                   "IADD3 R" + utostr(General) + ", R1, " +
                       uniformName(Source) + ", RZ"};
  // IMAD.U32 with RZ as both factors, and VIADD.
  if (Before == wordOf(0xe24 | resultIs(General) | firstIs(ZeroRegister) |
                           secondIs(Source),
                       0xf8e00ff, Before) &&
      After == wordOf(0xc36 | resultIs(General) | firstIs(StackPointer) |
                          secondIs(Source),
                      0x8000000, Before))
    return Rewrite{Kind::ToGeneral, Source,
                   "VIADD R" + utostr(General) + ", R1, " +
                       uniformName(Source)};
  if (Before == loadConstant(Uniform, 0x20, Before) &&
      After == moveUniform(Uniform, ZeroUniform, Before))
    return Rewrite{Kind::WindowLow, ZeroUniform,
                   "UMOV UR" + utostr(Uniform) + ", URZ"};
  auto Window = static_cast<unsigned>(After.Low >> 32 & ZeroUniform);
  if (Before == loadConstant(Uniform, 0x24, Before) && Window != ZeroUniform &&
      After == moveUniform(Uniform, Window, Before))
    return Rewrite{Kind::WindowHigh, Window,
                   "UMOV UR" + utostr(Uniform) + ", " + uniformName(Window)};
  return std::nullopt;
}

} // namespace regdem::framecheck
