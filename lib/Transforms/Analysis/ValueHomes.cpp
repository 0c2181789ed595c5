//===- ValueHomes.cpp - how a value can come back -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueHomes.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem {

ValueHomes::ValueHomes(MachineFunction &MF, const NVPTXOpcodes &Opcodes)
    : MRI(MF.getRegInfo()), Ops(Opcodes), Dominators(MF) {}

bool ValueHomes::isFree(Register Reg) const {
  const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  if (!Def)
    return false;
  switch (Ops.classify(Def->getOpcode())) {
  case Op::MOV_B16_i:
  case Op::MOV_B32_i:
  case Op::MOV_B64_i:
  case Op::MOV_F16_i:
  case Op::MOV_BF16_i:
  case Op::MOV_F32_i:
  case Op::MOV_F64_i:
  case Op::MOV_B32_sym:
  case Op::MOV_B64_sym:
    return true;
  case Op::LD_i16:
  case Op::LD_i32:
  case Op::LD_i64:
    return Def->getOperand(LoadOperand::Space).getImm() ==
               AddressSpace::Param &&
           !Def->getOperand(LoadOperand::Base).isReg() &&
           Def->isDereferenceableInvariantLoad();
  case Op::cvta_to_global_64:
    return Def->getOperand(1).isReg() &&
           Def->getOperand(1).getReg().isVirtual() &&
           isFree(Def->getOperand(1).getReg());
  default:
    return false;
  }
}

/// Whether Reg holds its only definition's value wherever MI runs.
bool ValueHomes::isDefinedBefore(Register Reg, const MachineInstr &MI) const {
  const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  return Def && Def != &MI && Dominators.dominates(Def, &MI);
}

/// Whether repeating the only definition of Reg gives the same wherever that
/// has been executed, costs less than a reload and reads nothing that takes a
/// register.
bool ValueHomes::isRecomputable(Register Reg) const {
  const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  if (!Def || Def->getNumDefs() != 1 ||
      !(Ops.isSimpleArithmetic(Def->getOpcode()) ||
        Ops.readsBlockConstant(Def->getOpcode()) ||
        Ops.readsThreadConstant(Def->getOpcode())))
    return false;
  return all_of(Def->operands(), [&](const MachineOperand &MO) {
    if (!MO.isReg())
      return MO.isImm() || MO.isFPImm() || MO.isGlobal();
    if (!MO.getReg().isVirtual() || MO.getSubReg() || MO.isUndef())
      return false;
    return MO.isDef() ||
           (isFree(MO.getReg()) && isDefinedBefore(MO.getReg(), *Def));
  });
}

Home ValueHomes::homeOf(Register Reg) const {
  return isRecomputable(Reg) ? Home::Recomputation : Home::ThreadSlot;
}

} // namespace regdem
