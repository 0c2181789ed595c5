//===- MachineWord.h - one instruction's bits -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields of the 128-bit instructions of sm_70 and later that moving a frame
// reads or changes. They are the same in all code of ptxas 12.9 to 13.5 for
// sm_75 to sm_120 that was looked at; Jia, Maggioni, Staiger, Scarpazza,
// "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018,
// describes the control field.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_MACHINEWORD_H
#define REGDEM_LIB_FINISH_MACHINEWORD_H

#include "regdem/MachineCode/Sass.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include <cstdint>

namespace regdem {

/// MachineWord::operation() of a NOP.
constexpr unsigned OpNop = 0x118;

struct MachineWord {
  uint64_t Low = 0, High = 0;

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

  /// What it does, with the kind of its second operand in the upper 3 bits.
  unsigned opcode() const { return Low & 0xfff; }
  /// What it does, whatever the kinds of its operands.
  unsigned operation() const { return Low & 0x1ff; }
  /// General register that is written, or uniform register, by operation.
  unsigned destination() const { return (Low >> 16) & 0xff; }
  /// Register that a store stores.
  unsigned stored() const { return (Low >> 32) & 0xff; }
  void setOpcode(unsigned Opcode) { Low = (Low & ~0xfffULL) | Opcode; }
  void setDestination(unsigned R) {
    Low = (Low & ~(0xffULL << 16)) | (static_cast<uint64_t>(R) << 16);
  }
  static constexpr unsigned Barriers = 6;
  /// Scoreboard that is released when the result is there; 7: none.
  unsigned writeBarrier() const { return High >> 46 & 7; }
  void setWriteBarrier(uint64_t Barrier) {
    High = (High & ~(7ULL << 46)) | Barrier << 46;
  }
  /// Cycles until the next instruction may issue; no hint to yield, as ptxas
  /// writes it.
  void setStall(uint64_t Cycles) {
    High = (High & ~(31ULL << 41)) | Cycles << 41;
  }
  /// Scoreboards to wait for, bit N for N.
  bool waits() const { return High >> 52 & 63; }
  void setWaits(uint64_t Mask) { High = (High & ~(63ULL << 52)) | Mask << 52; }
};

} // namespace regdem

#endif // REGDEM_LIB_FINISH_MACHINEWORD_H
