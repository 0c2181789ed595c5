//===- MutationsOfInsertion.cpp - mistakes in inserted instructions -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationSearch.h"
#include "Mutations.h"

#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regdem::test {

/// Loads of parts of a value, whose register is a new one.
static bool isPartLoad(const Subject &S, const MachineInstr &MI) {
  return isSlotLoad(S, MI) && !S.isOriginal(MI.getOperand(L::Dst).getReg());
}

static bool isWholeLoad(const Subject &S, const MachineInstr &MI) {
  return isSlotLoad(S, MI) && !isPartLoad(S, MI);
}

static bool isPartStore(const Subject &S, const MachineInstr &MI) {
  return isSlotStore(S, MI) && !S.isOriginal(MI.getOperand(St::Value).getReg());
}

static bool dropHalfReload(const Subject &S, MachineFunction &MF,
                           unsigned Site) {
  return at(S, MF, Site, isPartLoad,
            [](MachineInstr &MI) { MI.eraseFromParent(); });
}

static bool dropHalfStore(const Subject &S, MachineFunction &MF,
                          unsigned Site) {
  return at(S, MF, Site, isPartStore,
            [](MachineInstr &MI) { MI.eraseFromParent(); });
}

static void swapRegisters(MachineInstr &MI, unsigned A, unsigned B) {
  Register First = MI.getOperand(A).getReg();
  MI.getOperand(A).setReg(MI.getOperand(B).getReg());
  MI.getOperand(B).setReg(First);
}

static bool swapJoin(const Subject &S, MachineFunction &MF, unsigned Site) {
  return at(
      S, MF, Site,
      [](const Subject &S, const MachineInstr &MI) {
        return isOp(S, MI, Op::V2I32toI64) &&
               !S.isOriginal(MI.getOperand(1).getReg());
      },
      [](MachineInstr &MI) { swapRegisters(MI, 1, 2); });
}

static bool swapSplit(const Subject &S, MachineFunction &MF, unsigned Site) {
  return at(
      S, MF, Site,
      [](const Subject &S, const MachineInstr &MI) {
        return isOp(S, MI, Op::I64toV2I32) &&
               !S.isOriginal(MI.getOperand(0).getReg());
      },
      [](MachineInstr &MI) { swapRegisters(MI, 0, 1); });
}

/// Two loads that follow each other read each other's slot.
static bool swapLoadOffsets(const Subject &S, MachineFunction &MF,
                            unsigned Site) {
  return at(
      S, MF, Site,
      [](const Subject &S, const MachineInstr &MI) {
        const MachineInstr *Next = MI.getNextNode();
        return isSlotLoad(S, MI) && Next && isSlotLoad(S, *Next);
      },
      [&](MachineInstr &MI) {
        MachineOperand &A = offsetOf(S, MI),
                       &B = offsetOf(S, *MI.getNextNode());
        int64_t First = A.getImm();
        A.setImm(B.getImm());
        B.setImm(First);
      });
}

/// The next register of the class of Reg that the original code reads; Reg
/// itself if it is the only one.
static Register neighbour(const Subject &S, const MachineRegisterInfo &MRI,
                          Register Reg) {
  unsigned Count = S.Original.getRegInfo().getNumVirtRegs();
  for (unsigned I = 1; I != Count; ++I) {
    Register Other = Register::index2VirtReg((Reg.virtRegIndex() + I) % Count);
    if (MRI.getRegClass(Other) == MRI.getRegClass(Reg) &&
        !S.Original.getRegInfo().use_nodbg_empty(Other))
      return Other;
  }
  return Reg;
}

static bool reloadOther(const Subject &S, MachineFunction &MF, unsigned Site) {
  return at(S, MF, Site, isWholeLoad, [&](MachineInstr &MI) {
    MachineOperand &MO = MI.getOperand(L::Dst);
    MO.setReg(neighbour(S, MF.getRegInfo(), MO.getReg()));
  });
}

static bool storeOther(const Subject &S, MachineFunction &MF, unsigned Site) {
  return at(
      S, MF, Site,
      [](const Subject &S, const MachineInstr &MI) {
        return isSlotStore(S, MI) && !isPartStore(S, MI);
      },
      [&](MachineInstr &MI) {
        MachineOperand &MO = MI.getOperand(St::Value);
        MO.setReg(neighbour(S, MF.getRegInfo(), MO.getReg()));
      });
}

/// The next instruction after MI in its block, or in the block that control
/// falls into, that defines Reg; null if there is none.
static MachineInstr *nextDefinition(MachineInstr &MI, Register Reg) {
  MachineBasicBlock *MBB = MI.getParent();
  auto From = std::next(MI.getIterator());
  for (unsigned Blocks = 0; MBB && Blocks != 8; ++Blocks) {
    for (MachineInstr &Next : make_range(From, MBB->instr_end()))
      if (Next.definesRegister(Reg, nullptr) && !Next.isTerminator())
        return &Next;
    MBB = MBB->getNextNode();
    if (MBB)
      From = MBB->instr_begin();
  }
  return nullptr;
}

/// A reload stands after a later definition of the register, and brings the
/// value from before it back.
static bool reloadBehindDefinition(const Subject &S, MachineFunction &MF,
                                   unsigned Site) {
  auto Target = [](MachineInstr &MI) {
    return nextDefinition(MI, MI.getOperand(L::Dst).getReg());
  };
  return at(
      S, MF, Site,
      [&](const Subject &S, const MachineInstr &MI) {
        return isWholeLoad(S, MI) && Target(const_cast<MachineInstr &>(MI));
      },
      [&](MachineInstr &MI) {
        MachineInstr *Definition = Target(MI);
        MI.removeFromParent();
        Definition->getParent()->insertAfter(Definition->getIterator(), &MI);
      });
}

/// A reload stands in front of each store that wrote what it should read.
static bool reloadBeforeStore(const Subject &S, MachineFunction &MF,
                              unsigned Site) {
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &Load : MBB) {
      if (!isWholeLoad(S, Load))
        continue;
      for (MachineBasicBlock &Other : MF)
        for (MachineInstr &Store : Other)
          if (isSlotStore(S, Store) &&
              Store.getOperand(St::Value).getReg() ==
                  Load.getOperand(L::Dst).getReg() &&
              Site-- == 0) {
            Load.removeFromParent();
            Other.insert(Store.getIterator(), &Load);
            return true;
          }
    }
  return false;
}

/// A value is taken apart in front of its definition, so that the parts that
/// are then stored are those of the value before.
static bool splitTooEarly(const Subject &S, MachineFunction &MF,
                          unsigned Site) {
  auto Definition = [](MachineInstr &MI) -> MachineInstr * {
    for (MachineInstr *At = MI.getPrevNode(); At; At = At->getPrevNode())
      if (At->definesRegister(MI.getOperand(2).getReg(), nullptr))
        return At;
    return nullptr;
  };
  return at(
      S, MF, Site,
      [&](const Subject &S, const MachineInstr &MI) {
        return isOp(S, MI, Op::I64toV2I32) &&
               !S.isOriginal(MI.getOperand(0).getReg()) &&
               Definition(const_cast<MachineInstr &>(MI));
      },
      [&](MachineInstr &MI) {
        MachineInstr *At = Definition(MI);
        MI.removeFromParent();
        At->getParent()->insert(At->getIterator(), &MI);
      });
}

static bool clobber(const Subject &S, MachineFunction &MF, unsigned Site) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  return at(
      S, MF, Site,
      [](const Subject &S, const MachineInstr &MI) {
        return isWholeLoad(S, MI) && isOp(S, MI, Op::LD_i32);
      },
      [&](MachineInstr &MI) {
        BuildMI(*MI.getParent(), std::next(MI.getIterator()), DebugLoc(),
                TII.get(S.Opcodes[Op::MOV_B32_i]),
                MI.getOperand(L::Dst).getReg())
            .addImm(0);
      });
}

std::vector<Mutation> insertionMutations() {
  return {
      {"half of a reload is left out", nullptr, dropHalfReload},
      {"half of a store is left out", nullptr, dropHalfStore},
      {"halves are joined the wrong way round", nullptr, swapJoin},
      {"halves are split the wrong way round", nullptr, swapSplit},
      {"two loads swap their offsets", nullptr, swapLoadOffsets},
      {"a reload sets another register", nullptr, reloadOther},
      {"a store takes another register", nullptr, storeOther},
      {"a reload stands behind a redefinition", nullptr,
       reloadBehindDefinition},
      {"a reload stands before the store", nullptr, reloadBeforeStore},
      {"a value is split before its definition", nullptr, splitTooEarly},
      {"a register is overwritten", nullptr, clobber},
  };
}

} // namespace regdem::test
