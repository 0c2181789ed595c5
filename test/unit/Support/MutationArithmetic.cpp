//===- MutationArithmetic.cpp - registers and what computes them ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationMachine.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

namespace regdem::test {

static uint64_t hashText(StringRef Text) {
  uint64_t H = 1;
  for (char C : Text)
    H = mix(H, static_cast<unsigned char>(C));
  return H;
}

uint64_t Machine::read(const Thread &T, const MachineOperand &MO) const {
  switch (MO.getType()) {
  case MachineOperand::MO_Register: {
    if (!MO.getReg().isVirtual())
      return T.Physical.lookup(MO.getReg());
    const Bits &B = T.Registers[MO.getReg().virtRegIndex()];
    return B.High ? mix(B.Low, B.High) : B.Low;
  }
  case MachineOperand::MO_Immediate:
    return static_cast<uint64_t>(MO.getImm());
  case MachineOperand::MO_GlobalAddress:
    if (MO.getGlobal() == Bounds.Region)
      return RegionStart + static_cast<uint64_t>(MO.getOffset());
    return hashText(MO.getGlobal()->getName()) +
           static_cast<uint64_t>(MO.getOffset());
  case MachineOperand::MO_ExternalSymbol:
    return hashText(MO.getSymbolName());
  case MachineOperand::MO_FPImmediate:
    return hash_value(MO);
  default:
    return 0;
  }
}

void Machine::write(Thread &T, const MachineOperand &MO, Bits Value) {
  Register Reg = MO.getReg();
  switch (Ops.kindOf(*MRI.getRegClass(Reg))) {
  case RegKind::B1:
    Value = {Value.Low & 1, 0};
    break;
  case RegKind::B16:
    Value = {Value.Low & 0xffff, 0};
    break;
  case RegKind::B32:
    Value = {Value.Low & 0xffffffff, 0};
    break;
  case RegKind::B64:
    Value.High = 0;
    break;
  case RegKind::B128:
  case RegKind::Other:
    break;
  }
  T.Registers[Reg.virtRegIndex()] = Value;
}

/// Executes what the addresses and parts of values are made with.
bool Machine::compute(Thread &T, const MachineInstr &MI, Op O) {
  auto In = [&](unsigned I) { return read(T, MI.getOperand(I)); };
  auto Out = [&](uint64_t Low, uint64_t High = 0) {
    write(T, MI.getOperand(0), {Low, High});
    return true;
  };
  auto Whole = [&](unsigned I) {
    return T.Registers[MI.getOperand(I).getReg().virtRegIndex()];
  };
  switch (O) {
  case Op::INT_PTX_SREG_TID_x:
    return Out(T.Tid[0]);
  case Op::INT_PTX_SREG_TID_y:
    return Out(T.Tid[1]);
  case Op::INT_PTX_SREG_TID_z:
    return Out(T.Tid[2]);
  case Op::INT_PTX_SREG_NTID_x:
    return Out(Launch.Dims[0]);
  case Op::INT_PTX_SREG_NTID_y:
    return Out(Launch.Dims[1]);
  case Op::INT_PTX_SREG_DYNAMIC_SMEM_SIZE:
    return Out(Region.size());
  case Op::MOV_B32_i:
  case Op::MOV_B64_i:
  case Op::MOV_B64_sym:
    return Out(In(1));
  case Op::MAD_LO_S32rrr:
  case Op::MAD_LO_S32rir:
    return Out(In(1) * In(2) + In(3));
  case Op::MUL_WIDEu32_ri:
    return Out(In(1) * static_cast<uint32_t>(In(2)));
  case Op::ADD32rr:
  case Op::ADD64rr:
    return Out(In(1) + In(2));
  case Op::I64toV2I32: {
    uint64_t Value = In(2);
    write(T, MI.getOperand(0), {Value & 0xffffffff});
    write(T, MI.getOperand(1), {Value >> 32});
    return true;
  }
  case Op::I128toV2I64: {
    Bits Value = Whole(2);
    write(T, MI.getOperand(0), {Value.Low});
    write(T, MI.getOperand(1), {Value.High});
    return true;
  }
  case Op::V2I32toI64:
    return Out((In(1) & 0xffffffff) | In(2) << 32);
  case Op::V2I64toI128:
    return Out(In(1), In(2));
  default:
    return false;
  }
}

} // namespace regdem::test
