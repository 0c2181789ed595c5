//===- Demoter.cpp - carry out a demotion plan ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/Demoter.h"

#include "SlotAccess.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

#define DEBUG_TYPE "regdem-demote"

STATISTIC(NumStores, "Number of stores to slots");
STATISTIC(NumReloads, "Number of reloads from slots");
STATISTIC(NumRematerialised, "Number of values rematerialised");

namespace regdem {

/// Gives the edge From -> To a block of its own that only jumps on.
static MachineBasicBlock &splitEdge(MachineFunction &MF,
                                    MachineBasicBlock &From,
                                    MachineBasicBlock &To,
                                    const NVPTXOpcodes &Opcodes) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  MachineBasicBlock *New = MF.CreateMachineBasicBlock(To.getBasicBlock());
  // Where From falls through to To, the new block has to be what follows;
  // elsewhere it must not come between From and what follows.
  bool Branches = any_of(From.terminators(), [&](const MachineInstr &MI) {
    return any_of(MI.operands(), [&](const MachineOperand &MO) {
      return MO.isMBB() && MO.getMBB() == &To;
    });
  });
  MF.insert(Branches ? MF.end() : std::next(From.getIterator()), New);
  From.ReplaceUsesOfBlockWith(&To, New);
  New->addSuccessor(&To);
  BuildMI(New, DebugLoc(), TII.get(Opcodes[Op::GOTO])).addMBB(&To);
  return *New;
}

/// Repeats the definition of Reg. Where there are several, they are copies of
/// one another.
static void rematerialise(MachineBasicBlock &MBB,
                          MachineBasicBlock::iterator At, Register Reg) {
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
  std::vector<MachineBasicBlock *> Splits;
  for (const SplitEdge &E : Plan.Edges)
    Splits.push_back(
        &splitEdge(MF, *Code.Blocks[E.Pred], *Code.Blocks[E.Succ], Opcodes));

  SlotAccess Access(MF, Layout, Region, Opcodes);
  // First, so that what the plan puts at the top of the entry comes after it.
  Access.insertBase(Dims);
  for (const PlanAction &A : Plan.Actions) {
    bool OnEdge = A.Where.Block >= Graph.Blocks.size();
    MachineBasicBlock &MBB = OnEdge
                                 ? *Splits[A.Where.Block - Graph.Blocks.size()]
                                 : *Code.Blocks[A.Where.Block];
    MachineBasicBlock::iterator At =
        OnEdge || A.Where.Before == Graph.Blocks[A.Where.Block].End
            ? MBB.getFirstTerminator()
            : MachineBasicBlock::iterator(Code.Insts[A.Where.Before]);
    Register Value = Code.registerOf(A.Value);
    switch (A.What) {
    case PlanAction::Store:
      Access.insertStore({MBB, At}, Value, A.Slot);
      ++NumStores;
      break;
    case PlanAction::Reload:
      Access.insertReload({MBB, At}, Value, A.Slot);
      ++NumReloads;
      break;
    case PlanAction::Recompute:
      rematerialise(MBB, At, Value);
      ++NumRematerialised;
      break;
    }
  }
  MF.RenumberBlocks();
}

} // namespace regdem
