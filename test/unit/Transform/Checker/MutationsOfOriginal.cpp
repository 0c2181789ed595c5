//===- MutationsOfOriginal.cpp - damage to the original code --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationSearch.h"
#include "Mutations.h"

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

static bool dropInstruction(const Subject &S, MachineFunction &MF,
                            unsigned Site) {
  return at(S, MF, Site, isOriginalBody,
            [](MachineInstr &MI) { MI.eraseFromParent(); });
}

static bool repeatInstruction(const Subject &S, MachineFunction &MF,
                              unsigned Site) {
  return at(S, MF, Site, isOriginalBody, [&](MachineInstr &MI) {
    MI.getParent()->insertAfter(MI.getIterator(), MF.CloneMachineInstr(&MI));
  });
}

static bool swapInstructions(const Subject &S, MachineFunction &MF,
                             unsigned Site) {
  return at(
      S, MF, Site,
      [](const Subject &S, const MachineInstr &MI) {
        const MachineInstr *Next = MI.getNextNode();
        return isOriginalBody(S, MI) && Next && isOriginalBody(S, *Next);
      },
      [](MachineInstr &MI) {
        MachineInstr *Next = MI.getNextNode();
        Next->removeFromParent();
        MI.getParent()->insert(MI.getIterator(), Next);
      });
}

static bool moveToNextBlock(const Subject &S, MachineFunction &MF,
                            unsigned Site) {
  return at(
      S, MF, Site,
      [](const Subject &S, const MachineInstr &MI) {
        return isOriginalBody(S, MI) && MI.getParent()->getNextNode();
      },
      [](MachineInstr &MI) {
        MachineBasicBlock *Next = MI.getParent()->getNextNode();
        MI.removeFromParent();
        Next->insert(Next->begin(), &MI);
      });
}

static bool changeNumber(const Subject &S, MachineFunction &MF, unsigned Site) {
  auto HasNumber = [](const MachineInstr &MI) {
    return MI.getOperand(MI.getNumOperands() - 1).isImm();
  };
  return at(
      S, MF, Site,
      [&](const Subject &S, const MachineInstr &MI) {
        return isOriginalBody(S, MI) && HasNumber(MI);
      },
      [](MachineInstr &MI) {
        MachineOperand &MO = MI.getOperand(MI.getNumOperands() - 1);
        MO.setImm(MO.getImm() + 4);
      });
}

/// An instruction reads another register of the same class.
static bool changeOperand(const Subject &S, MachineFunction &MF,
                          unsigned Site) {
  auto Find = [&](MachineInstr &MI) -> std::pair<MachineOperand *, Register> {
    const MachineRegisterInfo &MRI = MF.getRegInfo();
    for (MachineOperand &MO : MI.operands())
      if (MO.isReg() && MO.isUse() && MO.getReg().isVirtual())
        for (unsigned I = 0; I != S.Original.getRegInfo().getNumVirtRegs();
             ++I) {
          Register Other = Register::index2VirtReg(I);
          if (Other != MO.getReg() &&
              MRI.getRegClass(Other) == MRI.getRegClass(MO.getReg()))
            return {&MO, Other};
        }
    return {nullptr, Register()};
  };
  return at(
      S, MF, Site,
      [&](const Subject &S, const MachineInstr &MI) {
        return isOriginal(S, MI) && Find(const_cast<MachineInstr &>(MI)).first;
      },
      [&](MachineInstr &MI) {
        auto [MO, Other] = Find(MI);
        MO->setReg(Other);
      });
}

/// A jump or branch goes to another block of the original code.
static bool retarget(const Subject &S, MachineFunction &MF, unsigned Site) {
  auto IsBranch = [](const Subject &, const MachineInstr &MI) {
    return any_of(MI.operands(),
                  [](const MachineOperand &MO) { return MO.isMBB(); });
  };
  unsigned Others = MF.size() - 1;
  return Others && at(S, MF, Site / Others, IsBranch, [&](MachineInstr &MI) {
           for (MachineOperand &MO : MI.operands()) {
             if (!MO.isMBB())
               continue;
             MachineBasicBlock *Old = MO.getMBB();
             auto New = Old->getIterator();
             for (unsigned I = 0; I <= Site % Others; ++I) {
               ++New;
               if (New == MF.end())
                 New = MF.begin();
             }
             MachineBasicBlock *From = MI.getParent();
             MO.setMBB(&*New);
             if (!From->isSuccessor(&*New))
               From->replaceSuccessor(Old, &*New);
             return;
           }
         });
}

static bool dropBranch(const Subject &S, MachineFunction &MF, unsigned Site) {
  return at(
      S, MF, Site,
      [](const Subject &, const MachineInstr &MI) {
        return MI.isTerminator() && !MI.isReturn();
      },
      [](MachineInstr &MI) { MI.eraseFromParent(); });
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
      {"an instruction is left out", nullptr, dropInstruction},
      {"an instruction is repeated", nullptr, repeatInstruction},
      {"two instructions are swapped", nullptr, swapInstructions},
      {"an instruction stands in the next block", nullptr, moveToNextBlock},
      {"a number is changed", nullptr, changeNumber},
      {"an operand is changed", nullptr, changeOperand},
      {"a branch goes elsewhere", nullptr, retarget},
      {"a branch is left out", nullptr, dropBranch},
      {"a block stands elsewhere", nullptr, moveBlock},
  };
}

} // namespace regdem::test
