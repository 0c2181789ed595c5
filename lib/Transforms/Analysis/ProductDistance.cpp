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
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regdem {

/// Values from which a product is looked for.
static constexpr unsigned MostValues = 32;

/// Whether what reads I's result, a product, takes the number that it is: no
/// sum, and nothing that hands it on or scales it.
static bool isOnlyRead(const MachineInstr &I, const NVPTXOpcodes &Opcodes) {
  if (I.isInlineAsm())
    return false;
  const MachineRegisterInfo &MRI = I.getMF()->getRegInfo();
  return all_of(MRI.use_nodbg_instructions(I.getOperand(0).getReg()),
                [&](const MachineInstr &Reader) {
                  return Opcodes.takesNumbers(Reader.getOpcode()) &&
                         !Opcodes.isScaling(Reader);
                });
}

bool mayHoldProduct(Register Reg, const MachineRegisterInfo &MRI,
                    const NVPTXOpcodes &Opcodes) {
  SmallSetVector<Register, 8> Values;
  Values.insert(Reg);
  for (unsigned I = 0; I != Values.size(); ++I)
    for (const MachineInstr &Def : MRI.def_instructions(Values[I])) {
      bool IsOpen = Opcodes.isFusibleProduct(Def) && !isOnlyRead(Def, Opcodes);
      if (IsOpen || Values.size() > MostValues)
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

/// Whether what I, a product, computes is scaled next to it and not read
/// otherwise.
static bool isOnlyScaled(const MachineInstr &I, const NVPTXOpcodes &Opcodes) {
  const MachineRegisterInfo &MRI = I.getMF()->getRegInfo();
  Register Reg = I.getOperand(0).getReg();
  if (!MRI.hasOneNonDBGUser(Reg))
    return false;
  const MachineInstr &Reader = *MRI.use_instr_nodbg_begin(Reg);
  return Reader.getParent() == I.getParent() && Opcodes.isScaling(Reader);
}

/// Whether I, a product of MF, which is fixed, is plain as leavePlain() leaves
/// some.
static bool isLeftPlain(const MachineInstr &I, const NVPTXOpcodes &Opcodes) {
  return I.getFlag(MachineInstr::FmContract) ? isOnlyScaled(I, Opcodes)
                                             : isOnlyRead(I, Opcodes);
}

bool hasContractibleFMul(const MachineFunction &MF, const NVPTXOpcodes &Opcodes,
                         bool IsFixed) {
  auto IsOpen = [&](const MachineInstr &I) {
    return Opcodes.isFusibleProduct(I) && !(IsFixed && isLeftPlain(I, Opcodes));
  };
  return anyInstruction(MF, IsOpen) &&
         anyInstruction(MF, [&](const MachineInstr &I) {
           return I.isCall() || Opcodes.isFusingSum(I) || Opcodes.isScaling(I);
         });
}

/// Whether MF calls none but functions that are Fixed.
static bool callsOnly(const MachineFunction &MF,
                      function_ref<bool(const Function &)> IsFixed) {
  return !anyInstruction(MF, [&](const MachineInstr &I) {
    return I.isCall() && none_of(I.operands(), [&](const MachineOperand &MO) {
             const auto *Callee =
                 MO.isGlobal() ? dyn_cast<Function>(MO.getGlobal()) : nullptr;
             return Callee && IsFixed(*Callee);
           });
  });
}

bool leavePlain(MachineFunction &MF, const NVPTXOpcodes &Opcodes,
                function_ref<bool(const Function &)> IsFixed) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  auto IsFusible = [&](const MachineInstr &I) {
    return Opcodes.isFusibleProduct(I);
  };
  bool ArePlain = !anyInstruction(MF, IsFusible) && callsOnly(MF, IsFixed);
  bool AreScaled = true;
  for (MachineBasicBlock &Block : MF)
    for (MachineInstr &I : Block) {
      unsigned Sum = Opcodes.plainSum(I.getOpcode());
      unsigned Product = Opcodes.plainProduct(I.getOpcode());
      bool IsMarked = Product && I.getFlag(MachineInstr::FmContract);
      AreScaled &= !IsMarked || isOnlyScaled(I, Opcodes);
      if (Sum && ArePlain)
        I.setDesc(TII.get(Sum));
      if (IsMarked || (Product && isOnlyRead(I, Opcodes)))
        I.setDesc(TII.get(Product));
    }
  return AreScaled;
}

} // namespace regdem
