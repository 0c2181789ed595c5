//===- PartialStores.cpp - stores of parts of registers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/PartialStores.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regdem {

/// Whether Value, which is stored, is a register of more than Bits with
/// something in it.
static bool isStoredInPart(const MachineOperand &Value, uint64_t Bits,
                           const MachineFunction &MF) {
  if (!Value.isReg() || Value.isUndef())
    return false;
  const TargetRegisterInfo &Info = *MF.getSubtarget().getRegisterInfo();
  return Bits < Info.getRegSizeInBits(Value.getReg(), MF.getRegInfo());
}

/// Has MI take a copy of the register Value, which is one of its operands.
static void copyAhead(MachineInstr &MI, MachineOperand &Value) {
  MachineFunction &MF = *MI.getMF();
  Register Copy = MF.getRegInfo().cloneVirtualRegister(Value.getReg());
  BuildMI(*MI.getParent(), MI, MI.getDebugLoc(),
          MF.getSubtarget().getInstrInfo()->get(TargetOpcode::COPY), Copy)
      .addReg(Value.getReg(), getKillRegState(Value.isKill()));
  Value.setReg(Copy);
  Value.setIsKill();
}

bool copyPartlyStored(MachineFunction &MF, const NVPTXOpcodes &Opcodes) {
  bool Changed = false;
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &MI : Block) {
      unsigned Count = Opcodes.numStored(MI.getOpcode());
      if (!Count)
        continue;
      // One value comes with the positions as they are.
      uint64_t Bits = MI.getOperand(StoreOperand::Bits + Count - 1).getImm();
      for (MachineOperand &Value :
           make_range(MI.operands_begin(), MI.operands_begin() + Count)) {
        if (!isStoredInPart(Value, Bits, MF))
          continue;
        copyAhead(MI, Value);
        Changed = true;
      }
    }
  return Changed;
}

} // namespace regdem
