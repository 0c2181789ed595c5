//===- ProductDistance.cpp - products far from their sums -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/ProductDistance.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem {

/// Values from which a product is looked for.
static constexpr unsigned MostValues = 32;

bool mayHoldProduct(Register Reg, const MachineRegisterInfo &MRI,
                    const NVPTXOpcodes &Opcodes) {
  SmallSetVector<Register, 8> Values;
  Values.insert(Reg);
  for (unsigned I = 0; I != Values.size(); ++I)
    for (const MachineInstr &Def : MRI.def_instructions(Values[I])) {
      if (Opcodes.isFusibleProduct(Def) || Values.size() > MostValues)
        return true;
      if (!Opcodes.mayFuseOperand(Def) || Opcodes.isFusingSum(Def))
        continue;
      for (const MachineOperand &Use : Def.all_uses())
        if (Use.getReg().isVirtual())
          Values.insert(Use.getReg());
    }
  return false;
}

bool isSummed(Register Reg, const MachineRegisterInfo &MRI,
              const NVPTXOpcodes &Opcodes, unsigned MostSteps,
              const MachineBasicBlock *But) {
  return any_of(MRI.use_nodbg_instructions(Reg), [&](const MachineInstr &Use) {
    if (Opcodes.isFusingSum(Use))
      return Use.getParent() != But;
    return Opcodes.mayFuseOperand(Use) &&
           (MostSteps == 0 ||
            any_of(Use.all_defs(), [&](const MachineOperand &Def) {
              return Def.getReg().isVirtual() &&
                     isSummed(Def.getReg(), MRI, Opcodes, MostSteps - 1, But);
            }));
  });
}

bool hasDistantProduct(const MachineFunction &MF, const NVPTXOpcodes &Opcodes) {
  // Without PHIs, which are no fusing users, there are no cycles.
  constexpr unsigned Unlimited = ~0u;
  for (const MachineBasicBlock &Block : MF)
    for (const MachineInstr &I : Block)
      if (Opcodes.isFusibleProduct(I) &&
          any_of(I.all_defs(), [&](const MachineOperand &Def) {
            return isSummed(Def.getReg(), MF.getRegInfo(), Opcodes, Unlimited,
                            &Block);
          }))
        return true;
  return false;
}

} // namespace regdem
