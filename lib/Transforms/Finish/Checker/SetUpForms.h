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
#include "regdem/MachineCode/SassInstruction.h"
#include <array>

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

struct SetUpInstruction {
  Operation What = Operation::Value;
  Unit By = Unit::Alu;
  SassOperand Result;
  /// A, B and C; names without text where there are none, and of special
  /// registers with their numbers.
  std::array<SassOperand, 3> Sources;
  /// In which of the slots for reuse each is read; 0 to 2.
  std::array<unsigned, 3> Slots = {};
  unsigned Shift = 0;
  SassControl Scheduling;
};

/// W as one of the table's instructions; none where it is no such one.
std::optional<SetUpInstruction> decodeSetUp(Word W);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_SETUPFORMS_H
