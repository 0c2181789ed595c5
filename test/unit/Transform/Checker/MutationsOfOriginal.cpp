//===- MutationsOfOriginal.cpp - damage to the original code --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationSearch.h"

#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem::test {

/// Whether MI is from the original code: it names no new register. A jump is
/// taken for an insertion.
static bool isOriginal(const Subject &S, const MachineInstr &MI) {
  return !MI.isUnconditionalBranch() &&
         all_of(MI.operands(), [&](const MachineOperand &MO) {
           return !MO.isReg() || !MO.getReg().isVirtual() ||
                  S.isOriginal(MO.getReg());
         });
}

static bool isOriginalBody(const Subject &S, const MachineInstr &MI) {
  return isOriginal(S, MI) && !MI.isTerminator();
}

static void swapWithNext(const Subject &, MachineInstr &MI) {
  MachineInstr *Next = MI.getNextNode();
  Next->removeFromParent();
  MI.getParent()->insert(MI.getIterator(), Next);
}

static void moveToNextBlock(const Subject &, MachineInstr &MI) {
  MachineBasicBlock *Next = MI.getParent()->getNextNode();
  MI.removeFromParent();
  Next->insert(Next->begin(), &MI);
}

/// A register that MI reads, and another one of the same class; null if there
/// is none.
static std::pair<MachineOperand *, Register>
findOperand(const Subject &S, const MachineInstr &MI) {
  const MachineRegisterInfo &MRI = MI.getMF()->getRegInfo();
  for (MachineOperand &MO : const_cast<MachineInstr &>(MI).operands())
    if (MO.isReg() && MO.isUse() && MO.getReg().isVirtual())
      for (unsigned I = 0; I != S.Original.getRegInfo().getNumVirtRegs(); ++I) {
        Register Other = Register::index2VirtReg(I);
        if (Other != MO.getReg() &&
            MRI.getRegClass(Other) == MRI.getRegClass(MO.getReg()))
          return {&MO, Other};
      }
  return {nullptr, Register()};
}

/// A jump or branch goes to another block of the original code.
static bool retarget(const Subject &S, MachineFunction &MF, unsigned Site) {
  unsigned Others = MF.size() - 1;
  auto IsBranch = [](const Subject &, const MachineInstr &MI) {
    return any_of(MI.operands(),
                  [](const MachineOperand &MO) { return MO.isMBB(); });
  };
  auto Retarget = [&](const Subject &, MachineInstr &MI) {
    MachineOperand &MO = *find_if(
        MI.operands(), [](const MachineOperand &MO) { return MO.isMBB(); });
    MachineBasicBlock *Old = MO.getMBB(), *From = MI.getParent();
    auto New = Old->getIterator();
    for (unsigned I = 0; I <= Site % Others; ++I)
      if (++New == MF.end())
        New = MF.begin();
    MO.setMBB(&*New);
    if (!From->isSuccessor(&*New))
      From->replaceSuccessor(Old, &*New);
  };
  return Others && editing("", IsBranch, Retarget).InCode(S, MF, Site / Others);
}

/// A block's code is put between two others, which then fall into it.
static bool moveBlock(const Subject &S, MachineFunction &MF, unsigned Site) {
  (void)S;
  if (Site + 2 >= MF.size())
    return false;
  MachineFunction::iterator Moved = std::next(MF.begin(), Site + 1);
  MF.splice(MF.end(), Moved);
  return true;
}

std::vector<Mutation> originalCodeMutations() {
  return {
      editing("an instruction is left out", isOriginalBody, leaveOut),
      editing("an instruction is repeated", isOriginalBody,
              [](const Subject &, MachineInstr &MI) {
                MI.getParent()->insertAfter(MI.getIterator(),
                                            MI.getMF()->CloneMachineInstr(&MI));
              }),
      editing(
          "two instructions are swapped",
          [](const Subject &S, const MachineInstr &MI) {
            const MachineInstr *Next = MI.getNextNode();
            return isOriginalBody(S, MI) && Next && isOriginalBody(S, *Next);
          },
          swapWithNext),
      editing(
          "an instruction stands in the next block",
          [](const Subject &S, const MachineInstr &MI) {
            return isOriginalBody(S, MI) && MI.getParent()->getNextNode();
          },
          moveToNextBlock),
      editing(
          "a number is changed",
          [](const Subject &S, const MachineInstr &MI) {
            return isOriginalBody(S, MI) && hasLastNumber(MI);
          },
          changeLastNumber),
      editing(
          "an operand is changed",
          [](const Subject &S, const MachineInstr &MI) {
            return isOriginal(S, MI) && findOperand(S, MI).first;
          },
          [](const Subject &S, MachineInstr &MI) {
            auto [MO, Other] = findOperand(S, MI);
            MO->setReg(Other);
          }),
      {"a branch goes elsewhere", nullptr, retarget},
      editing(
          "a branch is left out",
          [](const Subject &, const MachineInstr &MI) {
            return MI.isTerminator() && !MI.isReturn();
          },
          leaveOut),
      {"a block stands elsewhere", nullptr, moveBlock},
  };
}

} // namespace regdem::test
