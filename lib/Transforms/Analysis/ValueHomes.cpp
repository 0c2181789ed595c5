//===- ValueHomes.cpp - how a value can come back -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueHomes.h"

#include "regdem/Analysis/ProductDistance.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem {

/// Whether MI, which accesses memory, does no more than store to memory that is
/// not shared.
static bool isStoreElsewhere(const MachineInstr &MI) {
  return MI.mayStore() && !MI.mayLoad() && !MI.memoperands_empty() &&
         all_of(MI.memoperands(), [](const MachineMemOperand *MMO) {
           return (MMO->getAddrSpace() == AddressSpace::Global ||
                   MMO->getAddrSpace() == AddressSpace::Local) &&
                  !MMO->isVolatile() && !MMO->isAtomic();
         });
}

/// Whether shared memory may hold something else after MI: it may be written,
/// or MI may be what keeps other threads from writing to it.
static bool mayChangeShared(const MachineInstr &MI, const NVPTXOpcodes &Ops) {
  if (MI.isDebugInstr() || Ops.isReadOnlyLoad(MI.getOpcode()) ||
      Ops.classify(MI.getOpcode()) == Op::cvta_to_global_64)
    return false;
  return MI.isCall() || MI.isInlineAsm() || MI.isConvergent() ||
         MI.isPosition() || MI.hasUnmodeledSideEffects() ||
         ((MI.mayStore() || MI.hasOrderedMemoryRef()) && !isStoreElsewhere(MI));
}

ValueHomes::ValueHomes(MachineFunction &MF, const NVPTXOpcodes &Opcodes)
    : MRI(MF.getRegInfo()), Ops(Opcodes), Dominators(MF) {
  // From the blocks that change shared memory up to where they are reached.
  ChangesShared.resize(MF.getNumBlockIDs());
  SharedChanges.resize(MF.getNumBlockIDs());
  SmallVector<const MachineBasicBlock *, 8> Worklist;
  for (const MachineBasicBlock &MBB : MF)
    if (any_of(MBB, [&](const MachineInstr &MI) {
          return mayChangeShared(MI, Ops);
        })) {
      ChangesShared.set(MBB.getNumber());
      Worklist.push_back(&MBB);
    }
  while (!Worklist.empty())
    for (const MachineBasicBlock *Pred :
         Worklist.pop_back_val()->predecessors())
      if (!SharedChanges.test(Pred->getNumber())) {
        SharedChanges.set(Pred->getNumber());
        Worklist.push_back(Pred);
      }
}

/// Whether MI, a scalar load, reads a place in the constant bank that is known
/// before launch: instructions have such words as operands, or uniform
/// registers hold them. (A loop that reads 48 of them, which LLVM loads ahead
/// of it, takes 8 registers of ptxas 13.0.)
static bool readsConstantBank(const MachineInstr &MI) {
  int64_t Space = MI.getOperand(LoadOperand::Space).getImm();
  return (Space == AddressSpace::Param || Space == AddressSpace::Const) &&
         !MI.getOperand(LoadOperand::Base).isReg() &&
         MI.isDereferenceableInvariantLoad();
}

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
    return readsConstantBank(*Def);
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

Register ValueHomes::negatedBy(Register Reg) const {
  const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  if (!Def || !Ops.isNegation(*Def))
    return Register();
  const MachineOperand &Operand = Def->getOperand(1);
  if (!Operand.isReg() || !Operand.getReg().isVirtual() ||
      Operand.getSubReg() || Operand.isUndef() ||
      !isDefinedBefore(Operand.getReg(), *Def) ||
      Ops.isNegation(*MRI.getUniqueVRegDef(Operand.getReg())))
    return Register();
  bool IsProduct = mayHoldProduct(Reg, MRI, Ops);
  bool IsFolded =
      all_of(MRI.use_nodbg_operands(Reg), [&](const MachineOperand &MO) {
        const MachineInstr &Use = *MO.getParent();
        return Ops.takesEitherSign(Use.getOpcode()) && !MO.getSubReg() &&
               !MO.isUndef() && isDefinedBefore(Reg, Use) &&
               !(IsProduct && (Ops.isFusingSum(Use) || Ops.isScaling(Use)));
      });
  return IsFolded ? Operand.getReg() : Register();
}

/// Whether MI reads a place in shared memory that is known before launch, and
/// nothing that may run later can change what stands there.
bool ValueHomes::isFinalRead(const MachineInstr &MI) const {
  switch (Ops.classify(MI.getOpcode())) {
  case Op::LD_i16:
  case Op::LD_i32:
  case Op::LD_i64:
    break;
  default:
    return false;
  }
  if (MI.getOperand(LoadOperand::Space).getImm() != AddressSpace::Shared ||
      MI.getOperand(LoadOperand::Ordering).getImm() ||
      MI.getOperand(LoadOperand::Base).isReg() || !MI.hasOneMemOperand() ||
      MI.hasOrderedMemoryRef() ||
      SharedChanges.test(MI.getParent()->getNumber()))
    return false;
  if (!ChangesShared.test(MI.getParent()->getNumber()))
    return true;
  return none_of(
      make_range(std::next(MI.getIterator()), MI.getParent()->instr_end()),
      [&](const MachineInstr &I) { return mayChangeShared(I, Ops); });
}

/// Whether repeating the only definition of Reg gives the same wherever that
/// has been executed, costs less than a reload and reads nothing that takes a
/// register.
bool ValueHomes::isRecomputable(Register Reg) const {
  const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  if (Def && isFinalRead(*Def))
    return true;
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

} // namespace regdem
