//===- ProductDistance.cpp - products far from their sums -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/ProductDistance.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem {

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
           isSummedOutside(Use.getOperand(0).getReg(), Home, MRI, Opcodes);
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
