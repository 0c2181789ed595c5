//===- FlowChecker.h - prove that moved code computes the same --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves, after the fact, that a block whose instructions have changed places
// computes what it did: the same instructions are there, each reads what the
// same ones wrote or what the same register held at the start of the block, and
// those that touch memory that is not constant stand as they did to those that
// may write it or have other effects. Nothing is loaded ahead of what may end
// the thread, nothing stands after the terminators, and registers hold the same
// at the end. It shares no code with what it checks.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_FLOWCHECKER_H
#define REGDEM_LIB_TRANSFORM_FLOWCHECKER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineOperand.h"
#include "llvm/CodeGen/Register.h"
#include "llvm/Support/Error.h"
#include <tuple>
#include <vector>

namespace llvm {
class MachineBasicBlock;
class MachineInstr;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

/// What each instruction of a block reads from which. Opcodes and the code must
/// outlive it.
class FlowSnapshot {
public:
  FlowSnapshot(const llvm::MachineBasicBlock &Block,
               const NVPTXOpcodes &Opcodes);

  /// Success if the code computes the same now; otherwise an error of one line.
  llvm::Error check() const;

private:
  /// Where a value comes from within a block: an operand of an instruction, or
  /// a register at the start.
  using Source = std::tuple<const llvm::MachineInstr *, unsigned, unsigned>;
  struct Place {
    /// What it is: the address may be another instruction's by then.
    unsigned Opcode = 0;
    llvm::SmallVector<llvm::MachineOperand, 4> Operands;
    llvm::SmallVector<Source, 4> Sources; ///< Of the operands that are read.
    /// Effects ahead of it, if it reads memory that may be written or has an
    /// effect itself.
    unsigned Effects = 0;
    /// What may end the thread ahead of it, if it loads from an address that
    /// may be valid only then.
    unsigned Ends = 0;
    unsigned Terminators = 0; ///< Ahead of it.
  };

  const llvm::MachineBasicBlock &Block;
  const NVPTXOpcodes &Opcodes;
  llvm::DenseMap<const llvm::MachineInstr *, Place> Places;
  /// What may not change places, in this order.
  std::vector<const llvm::MachineInstr *> Fixed;
  llvm::DenseMap<llvm::Register, Source> AtEnd;

  Source valueOf(llvm::Register Reg) const;
  static const char *difference(const Place &Before, const Place &Now);
  std::string difference(const FlowSnapshot &Now) const;
};

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_FLOWCHECKER_H
