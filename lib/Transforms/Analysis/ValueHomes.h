//===- ValueHomes.h - how a value can come back -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells of each register what it takes to have its value again: nothing,
// because ptxas does not keep it in a register; the instruction that computes
// it; or memory. Legality only.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_ANALYSIS_VALUEHOMES_H
#define REGDEM_LIB_ANALYSIS_VALUEHOMES_H

#include "regdem/Analysis/KernelGraph.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/CodeGen/MachineDominators.h"

namespace llvm {
class MachineFunction;
class MachineInstr;
class MachineRegisterInfo;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

class ValueHomes {
public:
  /// MF must stay as it is while this is used.
  ValueHomes(llvm::MachineFunction &MF, const NVPTXOpcodes &Opcodes);

  /// Whether the register's only definition is something that ptxas reads
  /// without a register of its own: an immediate, a symbol's address, or a
  /// word of the constant bank at a known place, as kernel parameters are.
  bool isFree(llvm::Register Reg) const;

  /// The register whose value Reg holds with the other sign, where ptxas needs
  /// no register for that: all that read Reg take their operands with either
  /// sign. None where it does, or where a product might be fused. Such a
  /// register has one definition, which gives the same again wherever it is
  /// read.
  llvm::Register negatedBy(llvm::Register Reg) const;

  /// Whether Reg's only definition gives the same again, from operands that
  /// take no register.
  bool isRecomputable(llvm::Register Reg) const;

private:
  const llvm::MachineRegisterInfo &MRI;
  const NVPTXOpcodes &Ops;
  const llvm::MachineDominatorTree Dominators;

  /// By block: whether it, or what can run after it, may change shared memory.
  llvm::BitVector ChangesShared, SharedChanges;

  bool isFinalRead(const llvm::MachineInstr &MI) const;
  bool isDefinedBefore(llvm::Register Reg, const llvm::MachineInstr &MI) const;
};

} // namespace regdem

#endif // REGDEM_LIB_ANALYSIS_VALUEHOMES_H
