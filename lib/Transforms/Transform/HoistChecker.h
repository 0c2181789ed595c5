//===- HoistChecker.h - prove that hoisting changes nothing -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves, after the fact, that code in SSA form from which instructions have
// moved to blocks ahead computes what it did: the same instructions are there,
// those that have moved do nothing but compute, every value is there where it
// is read, and all others stand where and as they did. It shares no code with
// the hoisting.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_HOISTCHECKER_H
#define REGDEM_LIB_TRANSFORM_HOISTCHECKER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineOperand.h"
#include "llvm/Support/Error.h"

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

/// Where each instruction of a function stands, and what it is.
class PlaceSnapshot {
public:
  explicit PlaceSnapshot(const llvm::MachineFunction &MF);

private:
  struct Place {
    const llvm::MachineBasicBlock *Block = nullptr;
    unsigned Number = 0; ///< In the block.
    unsigned Opcode = 0;
    llvm::SmallVector<llvm::MachineOperand, 4> Operands;
  };
  llvm::DenseMap<const llvm::MachineInstr *, Place> Places;

  friend llvm::Error checkHoisting(const PlaceSnapshot &Original,
                                   llvm::MachineFunction &MF,
                                   const NVPTXOpcodes &Opcodes);
};

/// Success if MF, of which Original was taken, computes the same now; otherwise
/// an error of one line.
llvm::Error checkHoisting(const PlaceSnapshot &Original,
                          llvm::MachineFunction &MF,
                          const NVPTXOpcodes &Opcodes);

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_HOISTCHECKER_H
