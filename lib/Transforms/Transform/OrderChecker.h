//===- OrderChecker.h - prove that a new order changes nothing --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves, after the fact, that a block whose instructions have changed places
// computes what it did: the same instructions are there, each reads what the
// same ones wrote, and those that touch memory that is not constant stand as
// they did to those that may write it or have other effects. Nothing is loaded
// ahead of what may end the thread, and nothing stands after the terminators.
// It shares no code with the reordering.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_ORDERCHECKER_H
#define REGDEM_LIB_TRANSFORM_ORDERCHECKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineOperand.h"
#include "llvm/CodeGen/Register.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace llvm {
class MachineBasicBlock;
class MachineInstr;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

/// Whether the operands are the same but for what is known of live ranges.
bool areSame(llvm::ArrayRef<llvm::MachineOperand> A,
             llvm::ArrayRef<llvm::MachineOperand> B);

/// What each instruction of a block reads from which, as it stands now.
class BlockSnapshot {
public:
  BlockSnapshot(const llvm::MachineBasicBlock &Block,
                const NVPTXOpcodes &Opcodes);

private:
  struct Place {
    /// By operand: the instruction that wrote what it reads; null for what
    /// comes from outside the block and for what is no register read.
    llvm::SmallVector<const llvm::MachineInstr *, 4> Sources;
    /// What it is: the address may be another instruction's by then.
    unsigned Opcode = 0;
    llvm::SmallVector<llvm::MachineOperand, 4> Operands;
    /// Effects ahead of it, if it reads memory that may be written or has an
    /// effect itself.
    unsigned Effects = 0;
    /// What may end the thread ahead of it, if it loads from an address that
    /// may be valid only then.
    unsigned Ends = 0;
    unsigned Terminators = 0; ///< Ahead of it.
  };
  /// In what way an instruction that stood as Before stands wrong Now; null if
  /// it stands right.
  static const char *difference(const Place &Before, const Place &Now);

  llvm::DenseMap<const llvm::MachineInstr *, Place> Places;
  /// What each register holds at the end.
  llvm::DenseMap<llvm::Register, const llvm::MachineInstr *> AtEnd;
  /// What has an effect, and the terminators, in this order.
  std::vector<const llvm::MachineInstr *> Fixed;

  friend llvm::Error checkOrder(const BlockSnapshot &Original,
                                const llvm::MachineBasicBlock &Block,
                                const NVPTXOpcodes &Opcodes);
};

/// Success if Block, of which Original was taken, computes the same in its
/// order now; otherwise an error of one line.
llvm::Error checkOrder(const BlockSnapshot &Original,
                       const llvm::MachineBasicBlock &Block,
                       const NVPTXOpcodes &Opcodes);

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_ORDERCHECKER_H
