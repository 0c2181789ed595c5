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
  SlotAccess(llvm::MachineFunction &MF, const SlotLayout &Layout, bool Volatile,
             llvm::GlobalVariable *Region, const NVPTXOpcodes &Opcodes);

  /// Computes the address of the thread's slots, if there are any, at the top
  /// of the entry block.
  void insertBase(const BlockShape &Shape);

  /// Stores Value in the slot that starts at word To, before At.
  void insertStore(llvm::MachineBasicBlock &MBB,
                   llvm::MachineBasicBlock::iterator At, llvm::Register Value,
                   unsigned To);

  /// Reloads Value from the slot that starts at word From, before At.
  void insertReload(llvm::MachineBasicBlock &MBB,
                    llvm::MachineBasicBlock::iterator At, llvm::Register Value,
                    unsigned From);

private:
  llvm::MachineFunction &MF;
  const SlotLayout Layout;
  const bool Volatile;
  llvm::GlobalVariable *Region;
  const NVPTXOpcodes &Ops;
  llvm::Register Base;

  /// Where the next instruction is built.
  struct Place {
    llvm::MachineBasicBlock &MBB;
    llvm::MachineBasicBlock::iterator At;
  };

  llvm::MachineInstrBuilder build(const Place &P, Op O) const;
  llvm::MachineInstrBuilder build(const Place &P, Op O,
                                  llvm::Register Dst) const;
  llvm::Register create(RegKind Kind) const;
  llvm::Register linearThread(const Place &P, const BlockShape &Shape) const;
  llvm::Register fromEnd(const Place &P, llvm::Register Thread) const;
  llvm::MachineMemOperand *memOperand(unsigned Bits, bool IsStore) const;
  void storeScalar(const Place &P, llvm::Register Value, unsigned Bits,
                   unsigned To) const;
  void loadScalar(const Place &P, llvm::Register Value, unsigned Bits,
                  unsigned From) const;
  void storeHalves(const Place &P, Op Split, RegKind Half, llvm::Register Value,
                   unsigned To);
  void loadHalves(const Place &P, Op Join, RegKind Half, llvm::Register Value,
                  unsigned From);
  /// Whether 64 bits move at once.
  bool movesPairs() const { return Layout.Unit == 8; }
  int64_t ordering() const {
    return Volatile ? AccessOrdering::Volatile : AccessOrdering::NotAtomic;
  }
  RegKind kindOf(llvm::Register Reg) const;
};

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_SLOTACCESS_H
