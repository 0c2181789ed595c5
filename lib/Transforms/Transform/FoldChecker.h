//===- FoldChecker.h - prove that folded copies change nothing --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves, after the fact, that blocks from which copies are gone compute what
// they did: all other instructions are there, each reads what the same ones
// wrote or what the same register held at the start of the block, whatever
// copies were in between, and every register that a block reads holds the same
// at the end of those before it. What does more than arithmetic keeps its
// place. It shares no code with the folding.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_FOLDCHECKER_H
#define REGDEM_LIB_TRANSFORM_FOLDCHECKER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineOperand.h"
#include "llvm/CodeGen/Register.h"
#include "llvm/Support/Error.h"
#include <tuple>
#include <vector>

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

/// What each instruction of a function reads from which, as it stands now.
class FoldSnapshot {
public:
  FoldSnapshot(const llvm::MachineFunction &MF, const NVPTXOpcodes &Opcodes);

private:
  /// Where a value comes from within a block: an operand of an instruction, or
  /// a register at the start.
  using Source = std::tuple<const llvm::MachineInstr *, unsigned, unsigned>;
  struct Place {
    unsigned Opcode = 0;
    llvm::SmallVector<llvm::MachineOperand, 4> Operands;
    llvm::SmallVector<Source, 4> Sources; ///< Of those that are read.
    unsigned Terminators = 0;             ///< Ahead of it.
  };
  struct BlockState {
    llvm::DenseMap<const llvm::MachineInstr *, Place> Places;
    /// What is no arithmetic, in this order.
    std::vector<const llvm::MachineInstr *> Fixed;
    llvm::DenseMap<llvm::Register, Source> AtEnd;
  };

  std::vector<BlockState> Blocks;             ///< In the order of the layout.
  llvm::DenseSet<llvm::Register> ReadAtStart; ///< In any block.

  static Source valueOf(const BlockState &Block, llvm::Register Reg);
  void read(const llvm::MachineBasicBlock &Block, const NVPTXOpcodes &Opcodes);
  static bool isSame(const Place &A, const Place &B);
  static const char *difference(const BlockState &Before,
                                const BlockState &Now);

  friend llvm::Error checkFolds(const FoldSnapshot &Original,
                                const llvm::MachineFunction &MF,
                                const NVPTXOpcodes &Opcodes);
};

/// Success if MF, of which Original was taken, computes the same now; otherwise
/// an error of one line.
llvm::Error checkFolds(const FoldSnapshot &Original,
                       const llvm::MachineFunction &MF,
                       const NVPTXOpcodes &Opcodes);

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_FOLDCHECKER_H
