//===- SlotAccess.h - instructions that reach the slots ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the base address, the stores and the reloads, one instruction
// sequence each. Where they go is the Demoter's business.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_SLOTACCESS_H
#define REGDEM_LIB_TRANSFORM_SLOTACCESS_H

#include "regdem/Target/NVPTXOpcodes.h"
#include "regdem/Transform/Demoter.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"

namespace regdem {

class SlotAccess {
public:
  /// Where the next instruction is built: before At.
  struct Place {
    llvm::MachineBasicBlock &MBB;
    llvm::MachineBasicBlock::iterator At;
  };

  SlotAccess(llvm::MachineFunction &MF, const SlotLayout &Layout,
             llvm::GlobalVariable *Region, const NVPTXOpcodes &Opcodes);

  /// Computes the address of the thread's slots, if there are any, at the top
  /// of the entry block. Dims: as demote() has them.
  void insertBase(const unsigned (&Dims)[3]);

  /// Stores Value in the slot that starts at word To.
  void insertStore(const Place &P, llvm::Register Value, unsigned To) const;

  /// Reloads Value from the slot that starts at word From.
  void insertReload(const Place &P, llvm::Register Value, unsigned From) const;

private:
  llvm::MachineFunction &MF;
  const SlotLayout Layout;
  llvm::GlobalVariable *Region;
  const NVPTXOpcodes &Ops;
  llvm::Register Base;

  llvm::MachineInstrBuilder build(const Place &P, Op O) const;
  llvm::MachineInstrBuilder build(const Place &P, Op O,
                                  llvm::Register Dst) const;
  llvm::Register create(RegKind Kind) const;
  llvm::Register linearThread(const Place &P, const unsigned (&Dims)[3]) const;
  llvm::Register fromEnd(const Place &P, llvm::Register Thread) const;
  llvm::MachineMemOperand *memOperand(unsigned Bits, bool IsStore) const;
  unsigned bitsAtOnce(RegKind Kind) const;
  RegKind kindOf(llvm::Register Reg) const;
};

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_SLOTACCESS_H
