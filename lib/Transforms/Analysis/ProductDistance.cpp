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

/// Whether Reg, a product made in block Home or what negations and copies made
/// of one, is read by a sum of another block.
static bool isSummedOutside(Register Reg, const MachineBasicBlock &Home,
                            const MachineRegisterInfo &MRI,
                            const NVPTXOpcodes &Opcodes) {
  return any_of(MRI.use_nodbg_instructions(Reg), [&](const MachineInstr &Use) {
    if (Opcodes.isFusingSum(Use))
      return Use.getParent() != &Home;
    // Without PHIs, which are no fusing users, there are no cycles.
    return Opcodes.mayFuseOperand(Use) &&
           any_of(Use.all_defs(), [&](const MachineOperand &Def) {
             return Def.getReg().isVirtual() &&
                    isSummedOutside(Def.getReg(), Home, MRI, Opcodes);
           });
  });
}

bool hasDistantProduct(const MachineFunction &MF, const NVPTXOpcodes &Opcodes) {
  for (const MachineBasicBlock &Block : MF)
    for (const MachineInstr &I : Block)
      if (Opcodes.isFusibleProduct(I) &&
          any_of(I.all_defs(), [&](const MachineOperand &Def) {
            return isSummedOutside(Def.getReg(), Block, MF.getRegInfo(),
                                   Opcodes);
          }))
        return true;
  return false;
}

} // namespace regdem
