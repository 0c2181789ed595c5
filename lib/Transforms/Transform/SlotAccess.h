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
  /// Volatile: also accesses to a thread's own words are.
  SlotAccess(llvm::MachineFunction &MF, const SlotLayout &Layout, bool Volatile,
             llvm::GlobalVariable *Region, const NVPTXOpcodes &Opcodes);

  /// Words of a thread or of the block, from the first on.
  struct Slot {
    unsigned Word;
    bool OfBlock;

    Slot behind(unsigned Words) const { return {Word + Words, OfBlock}; }
  };

  /// Computes the base addresses that the layout asks for at the top of the
  /// entry block: the thread's, and that of the block's words.
  void insertBases(const BlockShape &Shape);

  /// Stores Value in To, before At.
  void insertStore(llvm::MachineBasicBlock &MBB,
                   llvm::MachineBasicBlock::iterator At, llvm::Register Value,
                   Slot To);

  /// Reloads Value from From, before At.
  void insertReload(llvm::MachineBasicBlock &MBB,
                    llvm::MachineBasicBlock::iterator At, llvm::Register Value,
                    Slot From);

private:
  llvm::MachineFunction &MF;
  const SlotLayout Layout;
  const bool Volatile;
  llvm::GlobalVariable *Region;
  const NVPTXOpcodes &Ops;
  llvm::Register Base, BlockBase;

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
  llvm::MachineMemOperand *memOperand(unsigned Bits, bool IsStore,
                                      Slot S) const;
  void storeScalar(const Place &P, llvm::Register Value, unsigned Bits,
                   Slot To) const;
  void loadScalar(const Place &P, llvm::Register Value, unsigned Bits,
                  Slot From) const;
  void storeHalves(const Place &P, Op Split, RegKind Half, llvm::Register Value,
                   Slot To);
  void loadHalves(const Place &P, Op Join, RegKind Half, llvm::Register Value,
                  Slot From);
  /// Whether 64 bits move at once.
  bool movesPairs(Slot S) const { return S.OfBlock || Layout.Unit == 8; }
  bool isVolatile(Slot S) const { return Volatile || S.OfBlock; }
  int64_t orderingOf(Slot S) const {
    return isVolatile(S) ? AccessOrdering::Volatile : AccessOrdering::NotAtomic;
  }
  llvm::Register baseOf(Slot S) const { return S.OfBlock ? BlockBase : Base; }
  int64_t offsetOf(Slot S) const {
    return S.OfBlock ? static_cast<int64_t>(Layout.blockOffset(S.Word))
                     : Layout.offset(S.Word);
  }
  RegKind kindOf(llvm::Register Reg) const;
};

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_SLOTACCESS_H
