//===- CheckerInsertion.cpp - what demotion may insert --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerInsertion.h"

#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineMemOperand.h"

using namespace llvm;

namespace regdem::checker {

unsigned accessBytes(Op O) {
  switch (O) {
  case Op::LD_i16:
  case Op::ST_i16:
    return 2;
  case Op::LD_i32:
  case Op::ST_i32:
    return 4;
  case Op::LD_i64:
  case Op::ST_i64:
    return 8;
  default:
    return 0;
  }
}

unsigned bytesOf(RegKind Kind) {
  switch (Kind) {
  case RegKind::B16:
    return 2;
  case RegKind::B32:
    return 4;
  case RegKind::B64:
    return 8;
  case RegKind::B128:
    return 16;
  case RegKind::B1:
  case RegKind::Other:
    return 0;
  }
  return 0;
}

/// Whether executing the load again gives the same: nothing writes what it
/// reads. Kernel parameters are marked so.
static bool isInvariantLoad(const MachineInstr &MI) {
  if (!MI.hasOneMemOperand() || MI.getOperand(LoadOperand::Ordering).getImm())
    return false;
  const MachineMemOperand *MMO = *MI.memoperands_begin();
  return MMO->isInvariant() && !MMO->isVolatile() && !MMO->isAtomic();
}

bool isSharedLoad(const MachineInstr &MI, Op O) {
  return accessBytes(O) && MI.mayLoad() && !MI.mayStore() &&
         MI.hasOneMemOperand() && !MI.hasOrderedMemoryRef() &&
         !MI.getOperand(LoadOperand::Ordering).getImm() &&
         !MI.getOperand(LoadOperand::Base).isReg() &&
         MI.getOperand(LoadOperand::Space).getImm() == AddressSpace::Shared;
}

bool leavesShared(const MachineInstr &MI, const NVPTXOpcodes &Opcodes) {
  Op O = Opcodes.classify(MI.getOpcode());
  if (MI.isDebugInstr() || Opcodes.isReadOnlyLoad(MI.getOpcode()) ||
      O == Op::cvta_to_global_64)
    return true;
  if (MI.isCall() || MI.isInlineAsm() || MI.isConvergent() || MI.isPosition() ||
      MI.hasUnmodeledSideEffects())
    return false;
  if (!MI.mayLoad() && !MI.mayStore())
    return true;
  for (const MachineMemOperand *MMO : MI.memoperands()) {
    unsigned Space = MMO->getAddrSpace();
    if (MMO->isVolatile() || MMO->isAtomic() ||
        (MMO->isStore() && Space != AddressSpace::Global &&
         Space != AddressSpace::Local))
      return false;
  }
  return !MI.memoperands_empty() && !(MI.mayLoad() && MI.mayStore());
}

/// Whether \p MI computes the same from the same registers wherever it stands.
/// By opcode: NVPTX's descriptions mark no side effect on instructions that
/// read counters, and one on address conversions.
static bool isRepeatable(const MachineInstr &MI, Op O,
                         const NVPTXOpcodes &Opcodes) {
  unsigned Code = MI.getOpcode();
  if (Opcodes.isArithmetic(Code) || Opcodes.readsBlockConstant(Code) ||
      Opcodes.readsThreadConstant(Code))
    return MI.getNumDefs() == 1;
  switch (O) {
  case Op::MOV_B16_i:
  case Op::MOV_B32_i:
  case Op::MOV_B64_i:
  case Op::MOV_F16_i:
  case Op::MOV_BF16_i:
  case Op::MOV_F32_i:
  case Op::MOV_F64_i:
  case Op::MOV_B32_sym:
  case Op::MOV_B64_sym:
  case Op::cvta_to_global_64:
    return true;
  case Op::LD_i16:
  case Op::LD_i32:
  case Op::LD_i64:
    return isInvariantLoad(MI) || isSharedLoad(MI, O);
  default:
    return false;
  }
}

static bool isNew(const MachineOperand &MO, const EncodedFunction &Original) {
  return MO.isReg() && MO.getReg().isVirtual() &&
         !Original.hasRegister(MO.getReg());
}

InsertionKind classifyInsertion(const MachineInstr &MI,
                                const NVPTXOpcodes &Opcodes,
                                const EncodedFunction &Original) {
  Op O = Opcodes.classify(MI.getOpcode());
  if (MI.getNumOperands() != MI.getDesc().getNumOperands())
    return InsertionKind::None;
  bool AnyNew = llvm::any_of(MI.operands(), [&](const MachineOperand &MO) {
    return isNew(MO, Original);
  });
  if (!AnyNew)
    return isRepeatable(MI, O, Opcodes) ? InsertionKind::Recompute
                                        : InsertionKind::None;
  switch (O) {
  case Op::LD_i16:
  case Op::LD_i32:
  case Op::LD_i64:
    return isNew(MI.getOperand(LoadOperand::Base), Original)
               ? InsertionKind::Load
               : InsertionKind::None;
  case Op::ST_i16:
  case Op::ST_i32:
  case Op::ST_i64:
    return isNew(MI.getOperand(StoreOperand::Base), Original)
               ? InsertionKind::Store
               : InsertionKind::None;
  case Op::I64toV2I32:
  case Op::I128toV2I64:
    return InsertionKind::Split;
  case Op::V2I32toI64:
  case Op::V2I64toI128:
    return InsertionKind::Join;
  case Op::MOV_B32_i:
  case Op::MOV_B32_sym:
  case Op::MOV_B64_sym:
  case Op::INT_PTX_SREG_TID_x:
  case Op::INT_PTX_SREG_TID_y:
  case Op::INT_PTX_SREG_TID_z:
  case Op::INT_PTX_SREG_NTID_x:
  case Op::INT_PTX_SREG_NTID_y:
  case Op::INT_PTX_SREG_DYNAMIC_SMEM_SIZE:
  case Op::MAD_LO_S32rrr:
  case Op::MAD_LO_S32rir:
  case Op::MUL_WIDEu32_ri:
  case Op::SHL32_ri:
  case Op::ADD32rr:
  case Op::ADD64rr:
    return isNew(MI.getOperand(0), Original) ? InsertionKind::Address
                                             : InsertionKind::None;
  default:
    return InsertionKind::None;
  }
}

} // namespace regdem::checker
