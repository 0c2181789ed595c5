//===- MachineWord.h - one instruction's bits -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 128 bits of an instruction of sm_70 and later, and those of its fields
// that are the same in all code of ptxas 12.9 to 13.5 for sm_75 to sm_120 that
// was looked at. What an opcode's other fields are is for its users to know.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_MACHINEWORD_H
#define REGDEM_MACHINECODE_MACHINEWORD_H

#include "regdem/MachineCode/SassInstruction.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace regdem {

struct MachineWord {
  uint64_t Low = 0, High = 0;

  /// The control bits of the upper half.
  static constexpr uint64_t ControlMask = ~0ULL << 41;

  static MachineWord at(llvm::StringRef Code, uint64_t Offset) {
    return {llvm::support::endian::read64le(Code.data() + Offset),
            llvm::support::endian::read64le(Code.data() + Offset + 8)};
  }
  void put(std::string &Code, uint64_t Offset) const {
    llvm::support::endian::write64le(Code.data() + Offset, Low);
    llvm::support::endian::write64le(Code.data() + Offset + 8, High);
  }
  bool operator==(const MachineWord &O) const {
    return Low == O.Low && High == O.High;
  }
  bool operator!=(const MachineWord &O) const { return !(*this == O); }

  /// Up to 32 bits from bit At on.
  unsigned field(unsigned At, unsigned Bits) const {
    uint64_t Value = At < 64 ? Low >> At : High >> (At - 64);
    if (At < 64 && At + Bits > 64)
      Value |= High << (64 - At);
    return static_cast<unsigned>(Value &
                                 llvm::maskTrailingOnes<uint64_t>(Bits));
  }
  /// What it does, with the kind of its second operand in the upper 3 bits.
  unsigned opcode() const { return field(0, 12); }
  /// What it does, whatever the kinds of its operands.
  unsigned operation() const { return field(0, 9); }
  /// General register that is written, or uniform register, by operation.
  unsigned destination() const { return field(16, 8); }
  /// The upper half without control bits.
  uint64_t plainHigh() const { return High & ~ControlMask; }
  /// Bits 105 to 127, least significant first: stall (4), yield (1), write
  /// barrier (3), read barrier (3), wait mask (6), reuse (3).
  SassControl control() const {
    SassControl C;
    C.Stall = field(105, 4);
    C.Yield = !field(109, 1);
    C.WriteBarrier = field(110, 3);
    C.ReadBarrier = field(113, 3);
    C.WaitMask = field(116, 6);
    C.Reuse = field(122, 3);
    C.Rest = field(125, 3);
    return C;
  }

  /// The same field, which lies within one half, becomes Value.
  void set(unsigned At, unsigned Bits, uint64_t Value) {
    uint64_t &Half = At < 64 ? Low : High;
    uint64_t Mask = llvm::maskTrailingOnes<uint64_t>(Bits) << At % 64;
    Half = (Half & ~Mask) | (Value << At % 64 & Mask);
  }
  void setOpcode(unsigned Opcode) { set(0, 12, Opcode); }
  void setDestination(unsigned R) { set(16, 8, R); }
  void setFirst(unsigned R) { set(24, 8, R); }
  /// Another register, a number of 32 bits, or where a constant is.
  void setSecond(uint64_t Bits) { set(32, 32, Bits); }
  /// Of an access, in bytes.
  void setOffset(int64_t Offset) { set(40, 24, static_cast<uint64_t>(Offset)); }
  void setWriteBarrier(unsigned Barrier) { set(110, 3, Barrier); }
  /// Cycles until the next instruction may issue; no hint to yield, as ptxas
  /// writes it.
  void setStall(unsigned Cycles) { set(105, 5, Cycles); }
  void setWaits(unsigned Mask) { set(116, 6, Mask); }
};

} // namespace regdem

#endif // REGDEM_MACHINECODE_MACHINEWORD_H
