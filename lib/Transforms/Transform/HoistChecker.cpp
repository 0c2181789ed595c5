//===- HoistChecker.cpp - prove that hoisting changes nothing -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoistChecker.h"

#include "FlowChecker.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/Twine.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem {

PlaceSnapshot::PlaceSnapshot(const MachineFunction &MF) {
  for (const MachineBasicBlock &Block : MF) {
    unsigned Number = 0;
    for (const MachineInstr &I : Block)
      Places[&I] = {&Block,
                    Number++,
                    I.getOpcode(),
                    {I.operands_begin(), I.operands_end()}};
  }
}

/// Whether I does nothing but compute its results, the same ones wherever its
/// operands are the same.
static bool computesOnly(const MachineInstr &I, const NVPTXOpcodes &Opcodes) {
  return !I.isPHI() && !I.isTerminator() && !I.isInlineAsm() && !I.isCall() &&
         !I.mayLoadOrStore() && !I.isConvergent() && !I.isPosition() &&
         !I.hasUnmodeledSideEffects() && !Opcodes.isFusibleProduct(I) &&
         !Opcodes.isScaling(I);
}

/// Whether all that I reads is there where it stands.
static bool readsWhatIsThere(const MachineInstr &I,
                             const MachineDominatorTree &Tree) {
  const MachineRegisterInfo &MRI = I.getMF()->getRegInfo();
  return all_of(I.all_uses(), [&](const MachineOperand &Use) {
    if (!Use.getReg().isVirtual())
      return true;
    const MachineInstr *Def = MRI.getUniqueVRegDef(Use.getReg());
    return Def && Tree.dominates(Def, &I);
  });
}

static Error fault(const MachineInstr &I, const Twine &What) {
  return createStringError("hoisting to block " +
                           Twine(I.getParent()->getNumber()) + ": " + What);
}

Error checkHoisting(const PlaceSnapshot &Original, MachineFunction &MF,
                    const NVPTXOpcodes &Opcodes) {
  MachineDominatorTree Tree(MF);
  size_t Count = 0;
  for (const MachineBasicBlock &Block : MF) {
    unsigned Next = 0; // Number of an instruction that has not moved, at least.
    for (const MachineInstr &I : Block) {
      ++Count;
      auto Found = Original.Places.find(&I);
      if (Found == Original.Places.end())
        return fault(I, "an instruction is new");
      const PlaceSnapshot::Place &Before = Found->second;
      if (Before.Opcode != I.getOpcode() ||
          !areSame(Before.Operands, {I.operands_begin(), I.operands_end()}))
        return fault(I, "an instruction is another");
      if (Before.Block == &Block) {
        if (Before.Number < Next)
          return fault(I, "an instruction stands ahead of one behind it");
        Next = Before.Number + 1;
      } else if (!computesOnly(I, Opcodes)) {
        return fault(I, "what does more than compute has moved");
      }
      if (!I.isPHI() && !I.isDebugInstr() && !readsWhatIsThere(I, Tree))
        return fault(I, "a value is read where it is not yet there");
    }
  }
  if (Count != Original.Places.size())
    return createStringError("hoisting: an instruction is lost");
  return Error::success();
}

} // namespace regdem
