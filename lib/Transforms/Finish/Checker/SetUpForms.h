//===- SetUpForms.h - instructions that set up a frame ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of the instructions that may compute a thread's stack pointer: which
// bits are operands and what all others must be. What is not in the table is
// not decoded.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_SETUPFORMS_H
#define REGDEM_LIB_FINISH_CHECKER_SETUPFORMS_H

#include "Words.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace regdem::framecheck {

/// What an instruction computes from its operands A, B and C, modulo 2^32.
enum class Operation : uint8_t {
  Value,     ///< A
  MulAdd,    ///< A * B + C
  Add,       ///< A + B + C, those that there are
  ShiftAdd,  ///< (A << Shift) + B
  ShiftLeft, ///< A << B, by a constant
  And        ///< A & B
};

/// Which unit computes it: decides how long the result takes.
enum class Unit : uint8_t {
  Alu,         ///< Integer and logic.
  Multiply,    ///< IMAD, and VIADD.
  Half,        ///< HFMA2.MMA, which writes constants.
  Uniform,     ///< Arithmetic of the uniform datapath.
  UniformMove, ///< UMOV and ULDC.
  Variable     ///< Announces its result by a scoreboard.
};

struct Operand {
  enum class Kind : uint8_t {
    None,
    Register,
    UniformRegister,
    Immediate,
    Constant, ///< c[Bank][Number]
    Special   ///< Special register Number.
  };
  Kind What = Kind::None;
  uint32_t Number = 0; ///< Registers: RZ is 255, URZ 63.
  unsigned Bank = 0;
  /// In which of the slots for reuse it is read; 0 to 2.
  unsigned Slot = 0;

  static constexpr uint32_t ZeroRegister = 255, ZeroUniform = 63;
  bool isRegister() const {
    return What == Kind::Register || What == Kind::UniformRegister;
  }
  bool isZero() const {
    return (What == Kind::Register && Number == ZeroRegister) ||
           (What == Kind::UniformRegister && Number == ZeroUniform);
  }
  bool operator==(const Operand &O) const {
    return What == O.What && Number == O.Number && Bank == O.Bank;
  }
};

/// Numbers of special registers in the encoding of S2R.
enum : uint32_t {
  ThreadX = 0x21,
  ThreadY = 0x22,
  ThreadZ = 0x23,
  SharedWindow = 0x2f,
  RankInCluster = 0x88
};

struct SetUpInstruction {
  Operation What = Operation::Value;
  Unit By = Unit::Alu;
  Operand Result, A, B, C;
  unsigned Shift = 0;
  Control Scheduling;
  /// As nvdisasm prints it: the opcode's first part and all operands, numbers
  /// as their value modulo 2^32.
  std::string Name;
  llvm::SmallVector<std::string, 6> Text;
};

/// W as one of the table's instructions; none where it is no such one.
std::optional<SetUpInstruction> decodeSetUp(Word W);

/// Operands as nvdisasm prints them, in the form of SetUpInstruction::Text.
llvm::SmallVector<std::string, 6> canonicalOperands(llvm::StringRef Printed);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_SETUPFORMS_H
