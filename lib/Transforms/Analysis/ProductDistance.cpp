//===- ProductDistance.cpp - products far from their sums -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/ProductDistance.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

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

/// Whether ptxas may fuse Reg, a product or what at most MostSteps negations
/// and copies made of one, into a sum of a block that is In. True as well where
/// that is too far to see.
static bool isSummed(Register Reg, const MachineRegisterInfo &MRI,
                     const NVPTXOpcodes &Opcodes, unsigned MostSteps,
                     function_ref<bool(const MachineBasicBlock &)> In) {
  // In order of their distance, each once: many ways may lead to one.
  SmallSetVector<Register, 8> Values;
  Values.insert(Reg);
  unsigned First = 0;
  for (unsigned Steps = 0; First != Values.size(); ++Steps)
    for (unsigned End = Values.size(); First != End; ++First)
      for (const MachineInstr &Use :
           MRI.use_nodbg_instructions(Values[First])) {
        if (Opcodes.isFusingSum(Use)) {
          if (In(*Use.getParent()))
            return true;
          continue;
        }
        if (!Opcodes.mayFuseOperand(Use))
          continue;
        if (Steps == MostSteps)
          return true;
        for (const MachineOperand &Def : Use.all_defs())
          if (Def.getReg().isVirtual())
            Values.insert(Def.getReg());
      }
  return false;
}

/// Whether ptxas may scale Reg, a product, while it multiplies, and may leave
/// that for the sake of another reader.
static bool isScaledForSome(Register Reg, const MachineRegisterInfo &MRI,
                            const NVPTXOpcodes &Opcodes) {
  return !MRI.hasOneNonDBGUser(Reg) &&
         any_of(MRI.use_nodbg_instructions(Reg), [&](const MachineInstr &Use) {
           return Opcodes.isScaling(Use);
         });
}

bool mayDependOnPlace(const MachineInstr &I, const NVPTXOpcodes &Opcodes) {
  // Negations and copies through which a product is followed to a sum. Out of
  // SSA form they may go round in circles.
  constexpr unsigned MostSteps = 4;
  if (!Opcodes.isFusibleProduct(I))
    return false;
  const MachineRegisterInfo &MRI = I.getMF()->getRegInfo();
  auto Any = [](const MachineBasicBlock &) { return true; };
  return any_of(I.all_defs(), [&](const MachineOperand &Def) {
    return isSummed(Def.getReg(), MRI, Opcodes, MostSteps, Any) ||
           isScaledForSome(Def.getReg(), MRI, Opcodes);
  });
}

template <typename Predicate>
static bool anyInstruction(const MachineFunction &MF, Predicate Is) {
  return any_of(
      MF, [&](const MachineBasicBlock &Block) { return any_of(Block, Is); });
}

bool hasCrossBlockFMA(const MachineFunction &MF, const NVPTXOpcodes &Opcodes) {
  // The code is in SSA form: without PHIs, which are no fusing users, there are
  // no cycles.
  constexpr unsigned Unlimited = ~0u;
  return anyInstruction(MF, [&](const MachineInstr &I) {
    auto IsOther = [&I](const MachineBasicBlock &Block) {
      return &Block != I.getParent();
    };
    return Opcodes.isFusibleProduct(I) &&
           any_of(I.all_defs(), [&](const MachineOperand &Def) {
             return isSummed(Def.getReg(), MF.getRegInfo(), Opcodes, Unlimited,
                             IsOther);
           });
  });
}

static bool hasFusibleProduct(const MachineFunction &MF,
                              const NVPTXOpcodes &Opcodes) {
  return anyInstruction(
      MF, [&](const MachineInstr &I) { return Opcodes.isFusibleProduct(I); });
}

static bool hasCall(const MachineFunction &MF) {
  return anyInstruction(MF, [](const MachineInstr &I) { return I.isCall(); });
}

bool hasContractibleFMul(const MachineFunction &MF,
                         const NVPTXOpcodes &Opcodes) {
  return hasFusibleProduct(MF, Opcodes) &&
         (hasCall(MF) || anyInstruction(MF, [&](const MachineInstr &I) {
            return Opcodes.isFusingSum(I) || Opcodes.isScaling(I);
          }));
}

bool leavePlainSums(MachineFunction &MF, const NVPTXOpcodes &Opcodes) {
  if (hasFusibleProduct(MF, Opcodes) || hasCall(MF))
    return false;
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  bool Changed = false;
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &I : Block)
      if (unsigned Plain = Opcodes.plainSum(I.getOpcode())) {
        I.setDesc(TII.get(Plain));
        Changed = true;
      }
  return Changed;
}

} // namespace regdem
