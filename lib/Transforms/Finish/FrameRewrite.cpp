//===- FrameRewrite.cpp - instructions that use a frame -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameRewrite.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

namespace {

/// Opcodes of accesses, with a register as address, and the bits of their upper
/// word that choose a cache policy, which shared memory has none of.
constexpr unsigned LoadLocal = 0x983, LoadShared = 0x984, StoreLocal = 0x387,
                   StoreShared = 0x388, StoreLocalUniform = 0x987,
                   StoreSharedUniform = 0x988;
constexpr uint64_t CachePolicy = 7ULL << 20, HasUniform = 1ULL << 27;

/// Others, with a uniform register as second operand.
constexpr unsigned ToUniform = 0x2ca, MoveFromUniform = 0xc02,
                   MultiplyAddUniform = 0xe24, AddUniform = 0xc10,
                   MultiplierAddUniform = 0xc36, LoadConstant = 0xab9,
                   MoveUniform = 0xc82, ShiftAddUniform = 0xc11,
                   ShiftAdd = 0x211, MultiplyAdd = 0x224,
                   LoadConstantGeneral = 0xb82, ReadSpecial = 0x919;
/// The upper words of the new ones without control bits: RZ as third operand of
/// the first.
constexpr uint64_t AddHigh = 0xfffe0ff, MultiplierAddHigh = 0x8000000,
                   MoveUniformHigh = 0x8000000;

constexpr unsigned ZeroRegister = 255, ZeroUniform = 63, WindowLow = 0x20;
/// Special registers: zero, and the upper half of shared memory's window.
constexpr unsigned ZeroSpecial = 255, WindowSpecial = 0x2f;

/// W, an IMAD or LEA that adds a uniform register, with R1 in its place.
bool addStackPointer(MachineWord &W) {
  constexpr uint64_t KeptButFirst = 3ULL << 59;
  if (W.High & KeptButFirst)
    return false;
  W.High &= ~HasUniform;
  if (W.opcode() == ShiftAddUniform) {
    W.setOpcode(ShiftAdd);
    W.setSecond(StackPointer);
  } else {
    W.setOpcode(MultiplyAdd);
    W.setSecond(W.field(64, 8));
    W.set(64, 8, StackPointer);
  }
  return true;
}

/// Whether W became another instruction for a frame in shared memory.
bool rewrite(MachineWord &W) {
  constexpr uint64_t Factors = 0xffULL << 24, KeepsFirst = 1ULL << 58;
  bool IsLow = W.Low >> 40 == WindowLow / 4;
  switch (W.opcode()) {
  case ToUniform:
    W.setFirst(ZeroRegister);
    W.High &= ~KeepsFirst;
    return true;
  case MoveFromUniform:
    W.setOpcode(AddUniform);
    W.setFirst(StackPointer);
    W.set(64, 41, AddHigh);
    return true;
  case ShiftAddUniform:
    return addStackPointer(W);
  case MultiplyAddUniform:
    if ((W.Low & Factors) != Factors)
      return addStackPointer(W);
    W.setOpcode(MultiplierAddUniform);
    W.setFirst(StackPointer);
    W.set(64, 41, MultiplierAddHigh);
    return true;
  case LoadConstant:
    W.setSecond(IsLow ? ZeroUniform : SetUpRegister);
    W.setOpcode(MoveUniform);
    W.set(64, 41, MoveUniformHigh);
    return true;
  case LoadConstantGeneral:
    W.setOpcode(ReadSpecial);
    W.setFirst(0);
    W.setSecond(0);
    W.set(64, 41, (IsLow ? ZeroSpecial : WindowSpecial) << 8);
    return true;
  default:
    return false;
  }
}

} // namespace

/// W, an access of local memory, with the opcode of shared memory.
static void toShared(MachineWord &W) {
  W.setOpcode(W.opcode() == LoadLocal    ? LoadShared
              : W.opcode() == StoreLocal ? StoreShared
                                         : StoreSharedUniform);
  W.High &= ~CachePolicy;
}

Error rewriteFrameUse(std::string &Code, uint64_t End, const FrameUse &Use) {
  unsigned Accesses = 0;
  for (uint64_t At = 0; At != End; At += InstructionBytes) {
    MachineWord W = MachineWord::at(Code, At);
    if (!is_contained({LoadLocal, StoreLocal, StoreLocalUniform}, W.opcode()))
      continue;
    toShared(W);
    if (W.High & HasUniform)
      W.setFirst(StackPointer);
    if (auto Shift = Use.Shifts.find(At); Shift != Use.Shifts.end())
      W.setOffset(W.field(40, 24) + Shift->second);
    W.put(Code, At);
    ++Accesses;
  }
  if (Accesses != Use.Loads + Use.Stores)
    return createStringError("some of its accesses cannot be reached");
  for (uint64_t At : Use.Rewrites) {
    MachineWord W = MachineWord::at(Code, At);
    if (At >= End || !rewrite(W))
      return createStringError("an address in its frame is used in a form that "
                               "is not known");
    W.put(Code, At);
  }
  return Error::success();
}

/// W, an access of local memory, with SetUpRegister for R1.
static void seeFromUniform(MachineWord &W) {
  W.setFirst(ZeroRegister);
  W.High |= HasUniform;
  if (W.opcode() == LoadLocal) {
    W.Low |= uint64_t{SetUpRegister} << 32;
  } else {
    W.setOpcode(StoreLocalUniform);
    W.High |= SetUpRegister;
  }
}

Error rewritePartUse(std::string &Code, const FrameUse &Use,
                     const FramePart &Part) {
  for (const FrameAccess &A : Use.Accesses) {
    MachineWord W = MachineWord::at(Code, A.Address);
    if (W.opcode() != LoadLocal && W.opcode() != StoreLocal)
      return createStringError("some of its accesses cannot be reached");
    if (Part.moves(A)) {
      toShared(W);
      W.setOffset(Part.Words.at(A.Offset & ~3u) + (A.Offset & 3));
    } else {
      seeFromUniform(W);
    }
    W.put(Code, A.Address);
  }
  MachineWord Lowers = MachineWord::at(Code, Use.LoweredAt);
  if (Lowers.Low >> 32 != static_cast<uint32_t>(-Use.Lowered))
    return createStringError("its stack pointer is lowered in a form that is "
                             "not known");
  Lowers.setSecond(-Part.Stride);
  Lowers.put(Code, Use.LoweredAt);
  return Error::success();
}

} // namespace regdem
