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

bool copyPartlyStored(MachineFunction &MF, const NVPTXOpcodes &Opcodes) {
  MachineRegisterInfo &Registers = MF.getRegInfo();
  const TargetSubtargetInfo &Subtarget = MF.getSubtarget();
  const TargetInstrInfo &Instructions = *Subtarget.getInstrInfo();
  bool Changed = false;
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &MI : Block) {
      unsigned NumStored = Opcodes.numStored(MI);
      for (unsigned I = 0; I != NumStored; ++I) {
        MachineOperand &Value = MI.getOperand(I);
        if (!Value.isReg())
          continue;
        const TargetRegisterClass *Class =
            Registers.getRegClass(Value.getReg());
        uint64_t Bits =
            MI.getOperand(NumStored - 1 + StoreOperand::Bits).getImm();
        if (Bits >= Subtarget.getRegisterInfo()->getRegSizeInBits(*Class))
          continue;
        Register Copy = Registers.createVirtualRegister(Class);
        BuildMI(Block, MI, MI.getDebugLoc(),
                Instructions.get(TargetOpcode::COPY), Copy)
            .addReg(Value.getReg(), getKillRegState(Value.isKill()));
        Value.setReg(Copy);
        Value.setIsKill();
        Changed = true;
      }
    }
  return Changed;
}

} // namespace regdem
