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

} // namespace

/// The change of a sum with a uniform address, which the first factor may be
/// kept by; none where Before and After are not one.
static std::optional<Rewrite> findSum(Word Before, Word After) {
  // In the upper word: no carry, and the uniform register as third operand.
  constexpr uint64_t Plain = 0x78e0000, HasUniform = 0x8000000, Signed = 0x200;
  if (Before.control().Reuse > 1)
    return std::nullopt;
  uint64_t Operands = Before.Low & 0xffff0000; // Result and first factor.
  unsigned Source = Before.field(32, 6);
  uint64_t Uniform = Operands | secondIs(Source);
  uint64_t Rest = (Before.High & 0x1f << 11) | ZeroRegister; // LEA's shift.
  if (Before == wordOf(0xc11 | Uniform, Plain | HasUniform | Rest, Before) &&
      After == wordOf(0x211 | Operands | secondIs(StackPointer), Plain | Rest,
                      Before))
    return Rewrite{Rewrite::Kind::Scaled, Source};
  uint64_t Second = Before.High & 0xff;
  if (Before == wordOf(0xe24 | Uniform, Plain | HasUniform | Signed | Second,
                       Before) &&
      After == wordOf(0x224 | Operands | secondIs(Second),
                      Plain | Signed | StackPointer, Before))
    return Rewrite{Rewrite::Kind::Product, Source};
  return std::nullopt;
}

std::optional<Rewrite> findRewrite(Word Before, Word After) {
  using Kind = Rewrite::Kind;
  if (std::optional<Rewrite> Sum = findSum(Before, After))
    return Sum;
  // What R1 is kept for goes without.
  constexpr uint64_t KeepsFirst = 1ull << 58;
  unsigned UniformResult = Before.field(16, 6);
  if (Before == fromGeneral(UniformResult, StackPointer, Before) &&
      After == fromGeneral(UniformResult, ZeroRegister,
                           {Before.Low, Before.High & ~KeepsFirst}))
    return Rewrite{Kind::FromStackPointer};
  // No other change keeps operands of its predecessor.
  if (Before.control().Reuse)
    return std::nullopt;
  uint64_t Result = resultIs(Before.destination());
  unsigned Source = Before.field(32, 6);
  // The lower half of shared memory's window is 0.
  unsigned Window = After.field(32, 6);
  bool IsLow = Window == ZeroUniform;
  // Words of the constant bank with the window's halves.
  constexpr uint64_t Low = 0x20 / 4ull << 40, High = 0x24 / 4ull << 40;
  const std::tuple<Word, Word, Rewrite> Changes[] = {
      // MOV, and IADD3 with RZ as its third operand.
      {wordOf(0xc02 | Result | secondIs(Source), 0x8000f00, Before),
       wordOf(0xc10 | Result | firstIs(StackPointer) | secondIs(Source),
              0xfffe0ff, Before),
       {Kind::ToGeneral, Source}},
      // IMAD.U32 with RZ as both factors, and VIADD.
      {wordOf(0xe24 | Result | firstIs(ZeroRegister) | secondIs(Source),
              0xf8e00ff, Before),
       wordOf(0xc36 | Result | firstIs(StackPointer) | secondIs(Source),
              0x8000000, Before),
       {Kind::ToGeneral, Source}},
      // ULDC and UMOV.
      {wordOf(0xab9 | resultIs(UniformResult) | (IsLow ? Low : High), 0x800,
              Before),
       wordOf(0xc82 | resultIs(UniformResult) | secondIs(Window), 0x8000000,
              Before),
       {IsLow ? Kind::WindowLow : Kind::WindowHigh, Window}},
      // LDC, and S2R of SRZ and of SR_SWINHI.
      {wordOf(0xb82 | Result | firstIs(ZeroRegister) | Low, 0x800, Before),
       wordOf(0x919 | Result, 0xff << 8, Before),
       {Kind::WindowLow}},
      {wordOf(0xb82 | Result | firstIs(ZeroRegister) | High, 0x800, Before),
       wordOf(0x919 | Result, 0x2f << 8, Before),
       {Kind::WindowHigh}}};
  for (const auto &[Old, New, Its] : Changes)
    if (Before == Old && After == New)
      return Its;
  return std::nullopt;
}

} // namespace regdem::framecheck
