//===- Words.cpp - instructions as 128-bit words --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Words.h"

using namespace llvm;

namespace regdem::framecheck {

namespace {

// Opcodes with the bits that tell the operands' kinds.
enum : unsigned {
  Branch = 0x947,
  LoadLocal = 0x983,
  LoadShared = 0x984,
  StoreLocal = 0x387,
  StoreShared = 0x388,
  StoreLocalUniform = 0x987, // With a uniform register in its address.
  StoreSharedUniform = 0x988,
  AddThree = 0x810, // IADD3 and VIADD of a number.
  AddTwo = 0x836,
  Nop = 0x918
};

/// Of the upper word of an access: its width, and what local memory adds, how
/// the cache keeps the line (one bit in an ordinary access, two in ".LU").
constexpr uint64_t WidthMask = 7ull << 9, CacheMask = 7ull << 20;
} // namespace

bool isNop(Word W) {
  // Every NOP that ptxas fills up with is this word.
  return W == Word{Unguarded | Nop, 0x000fc00000000000};
}

std::optional<int64_t> branchTarget(Word W, int64_t N, unsigned Architecture) {
  // Condition PT in bits 87 to 89. The distance from the next instruction, in
  // units of four bytes, is in bits 34 to 81; from sm_90 on its low eight bits
  // are in bits 16 to 23.
  constexpr uint64_t Condition = 7ull << 23, FarHigh = (1ull << 18) - 1;
  if ((W.Low & 0x3ff00ffff) != (Unguarded | Branch) ||
      (W.plainHigh() & ~FarHigh) != Condition)
    return std::nullopt;
  int64_t Distance = SignExtend64<48>(W.Low >> 34 | (W.High & FarHigh) << 30);
  int64_t Near = W.Low >> 16 & 0xff;
  if (Architecture >= 90)
    Distance = Distance * 256 + Near;
  else if (Near)
    return std::nullopt;
  if (Distance % 4)
    return std::nullopt;
  return N + 1 + Distance / 4;
}

bool looksLocal(Word W) {
  // The three upper bits of an opcode are the kinds of its operands.
  constexpr unsigned Operation = 0x1ff;
  return W.operation() == (LoadLocal & Operation) ||
         W.operation() == (StoreLocal & Operation);
}

/// In the upper word of an access: its address has a uniform register.
static constexpr uint64_t HasUniform = 1ull << 27;

std::optional<unsigned> uniformBase(Word W) {
  bool IsLoad = W.opcode() == LoadLocal;
  if (!(W.High & HasUniform) || (!IsLoad && W.opcode() != StoreLocalUniform))
    return std::nullopt;
  auto Base = static_cast<unsigned>((IsLoad ? W.Low >> 32 : W.High) & 0xff);
  // What it is of with this one, and an access without.
  Word Plain = {(W.Low & ~0xff000fffull) | 1ull << 24 |
                    (IsLoad ? LoadLocal : StoreLocal),
                W.High & ~HasUniform};
  if (IsLoad)
    Plain.Low &= ~(0xffull << 32);
  else
    Plain.High &= ~0xffull;
  if (Base >= ZeroUniform || !isLocalAccess(Plain) ||
      withUniformBase(Plain, Base) != W)
    return std::nullopt;
  return Base;
}

bool isLocalAccess(Word W) {
  bool IsLoad = W.opcode() == LoadLocal;
  if (!IsLoad && W.opcode() != StoreLocal)
    return false;
  uint64_t Cache = W.High & CacheMask, Width = W.High & WidthMask;
  if (Width > 6ull << 9 || Cache == 0)
    return false;
  // A load leaves the place of a store's data empty.
  bool Data = W.Low >> 32 & 0xff;
  return (W.plainHigh() & ~(CacheMask | WidthMask)) == 0 && !(IsLoad && Data);
}

Word sharedAccess(Word W) {
  unsigned Opcode = W.opcode() == LoadLocal    ? LoadShared
                    : W.opcode() == StoreLocal ? StoreShared
                                               : StoreSharedUniform;
  if (W.High & HasUniform)
    W.setFirst(StackPointer); // For RZ.
  W.setOpcode(Opcode);
  W.High &= ~CacheMask;
  return W;
}

Word withUniformBase(Word W, unsigned Base) {
  W.setFirst(255); // RZ
  W.High |= HasUniform;
  if (W.opcode() == LoadLocal) {
    W.Low |= uint64_t{Base} << 32;
  } else {
    W.setOpcode(StoreLocalUniform);
    W.High |= Base;
  }
  return W;
}

int64_t offsetOf(Word W) { return SignExtend64<24>(W.Low >> 40); }

Word withOffset(Word W, int64_t Offset) {
  W.setOffset(Offset);
  return W;
}

std::optional<int64_t> addedToStackPointer(Word W) {
  constexpr uint64_t Registers = 0x01017000;
  uint64_t Kind = W.Low & 0xffffffff;
  bool IsSum = (Kind == (Registers | AddThree) && W.plainHigh() == 0x7ffe0ff) ||
               (Kind == (Registers | AddTwo) && W.plainHigh() == 0);
  if (!IsSum)
    return std::nullopt;
  return SignExtend64<32>(W.Low >> 32);
}

Word withAdded(Word W, int64_t Number) {
  W.setSecond(static_cast<uint64_t>(Number));
  return W;
}

unsigned accessBytes(Word W) {
  // U8, S8, U16, S16, 32, 64, 128 bits.
  constexpr unsigned Bytes[] = {1, 1, 2, 2, 4, 8, 16, 0};
  return Bytes[(W.High & WidthMask) >> 9];
}

} // namespace regdem::framecheck
