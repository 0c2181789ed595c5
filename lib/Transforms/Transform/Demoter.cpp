//===- Demoter.cpp - carry out a demotion plan ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/Demoter.h"

#include "SlotAccess.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem {

/// Repeats the definition of Reg. Where there are several, they are copies of
/// one another.
static void recompute(MachineBasicBlock &MBB, MachineBasicBlock::iterator At,
                      Register Reg) {
  MachineFunction &MF = *MBB.getParent();
  MachineRegisterInfo &MRI = MF.getRegInfo();
  MachineInstr *Again = MF.CloneMachineInstr(&*MRI.def_instr_begin(Reg));
  Again->setDebugLoc(DebugLoc()); // It belongs to no source line.
  MBB.insert(At, Again);
  // The operands live longer now.
  for (const MachineOperand &MO : Again->all_uses())
    MRI.clearKillFlags(MO.getReg());
}

void demote(MachineFunction &MF, const KernelCode &Code,
            const DemotionPlan &Plan, const SlotLayout &Layout,
            const unsigned (&Dims)[3], GlobalVariable *Region,
            const NVPTXOpcodes &Opcodes) {
  const KernelGraph &Graph = Code.Graph;
  SlotAccess Access(MF, Layout, Region, Opcodes);
  // First, so that what the plan puts at the top of the entry comes after it.
  Access.insertBase(Dims);
  for (const PlanAction &A : Plan.Actions) {
    MachineBasicBlock &MBB = *Code.Blocks[A.Where.Block];
    MachineBasicBlock::iterator At =
        A.Where.Before == Graph.Blocks[A.Where.Block].End
            ? MBB.getFirstTerminator()
            : MachineBasicBlock::iterator(Code.Insts[A.Where.Before]);
    Register Value = Code.registerOf(A.Value);
    switch (A.What) {
    case PlanAction::Store:
      Access.insertStore({MBB, At}, Value, A.Slot);
      break;
    case PlanAction::Reload:
      Access.insertReload({MBB, At}, Value, A.Slot);
      break;
    case PlanAction::Recompute:
      recompute(MBB, At, Value);
      break;
    }
  }
}

} // namespace regdem
