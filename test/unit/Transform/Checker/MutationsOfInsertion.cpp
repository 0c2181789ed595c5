//===- MutationsOfInsertion.cpp - mistakes in inserted instructions -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationSearch.h"

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

static bool isWholeStore(const Subject &S, const MachineInstr &MI) {
  return isSlotStore(S, MI) && !isPartStore(S, MI);
}

static bool isJoin(const Subject &S, const MachineInstr &MI) {
  return isOp(S, MI, Op::V2I32toI64) &&
         !S.isOriginal(MI.getOperand(1).getReg());
}

static bool isSplit(const Subject &S, const MachineInstr &MI) {
  return isOp(S, MI, Op::I64toV2I32) &&
         !S.isOriginal(MI.getOperand(0).getReg());
}

static void swapRegisters(MachineInstr &MI, unsigned A, unsigned B) {
  Register First = MI.getOperand(A).getReg();
  MI.getOperand(A).setReg(MI.getOperand(B).getReg());
  MI.getOperand(B).setReg(First);
}

/// Two loads that follow each other read each other's slot.
static void swapLoadOffsets(const Subject &S, MachineInstr &MI) {
  MachineOperand &A = offsetOf(S, MI), &B = offsetOf(S, *MI.getNextNode());
  int64_t First = A.getImm();
  A.setImm(B.getImm());
  B.setImm(First);
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

static void changeRegister(const Subject &S, MachineOperand &MO) {
  MO.setReg(neighbour(S, MO.getParent()->getMF()->getRegInfo(), MO.getReg()));
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

/// The next definition of what MI, a reload, sets.
static MachineInstr *redefinition(const MachineInstr &MI) {
  return nextDefinition(const_cast<MachineInstr &>(MI),
                        MI.getOperand(L::Dst).getReg());
}

/// A reload stands after a later definition of the register, and brings the
/// value from before it back.
static void putBehindDefinition(const Subject &, MachineInstr &MI) {
  MachineInstr *Definition = redefinition(MI);
  MI.removeFromParent();
  Definition->getParent()->insertAfter(Definition->getIterator(), &MI);
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

/// The definition ahead of MI in its block of what MI takes apart, or null.
static MachineInstr *definitionAhead(const MachineInstr &MI) {
  for (MachineInstr *At = const_cast<MachineInstr &>(MI).getPrevNode(); At;
       At = At->getPrevNode())
    if (At->definesRegister(MI.getOperand(2).getReg(), nullptr))
      return At;
  return nullptr;
}

/// A value is taken apart in front of its definition, so that the parts that
/// are then stored are those of the value before.
static void splitTooEarly(const Subject &, MachineInstr &MI) {
  MachineInstr *At = definitionAhead(MI);
  MI.removeFromParent();
  At->getParent()->insert(At->getIterator(), &MI);
}

static void clobber(const Subject &S, MachineInstr &MI) {
  const TargetInstrInfo &TII = *MI.getMF()->getSubtarget().getInstrInfo();
  BuildMI(*MI.getParent(), std::next(MI.getIterator()), DebugLoc(),
          TII.get(S.Opcodes[Op::MOV_B32_i]), MI.getOperand(L::Dst).getReg())
      .addImm(0);
}

std::vector<Mutation> insertionMutations() {
  return {
      editing("half of a reload is left out", isPartLoad, leaveOut),
      editing("half of a store is left out", isPartStore, leaveOut),
      editing(
          "halves are joined the wrong way round", isJoin,
          [](const Subject &, MachineInstr &MI) { swapRegisters(MI, 1, 2); }),
      editing(
          "halves are split the wrong way round", isSplit,
          [](const Subject &, MachineInstr &MI) { swapRegisters(MI, 0, 1); }),
      editing(
          "two loads swap their offsets",
          [](const Subject &S, const MachineInstr &MI) {
            const MachineInstr *Next = MI.getNextNode();
            return isSlotLoad(S, MI) && Next && isSlotLoad(S, *Next);
          },
          swapLoadOffsets),
      editing("a reload sets another register", isWholeLoad,
              [](const Subject &S, MachineInstr &MI) {
                changeRegister(S, MI.getOperand(L::Dst));
              }),
      editing("a store takes another register", isWholeStore,
              [](const Subject &S, MachineInstr &MI) {
                changeRegister(S, MI.getOperand(St::Value));
              }),
      editing(
          "a reload stands behind a redefinition",
          [](const Subject &S, const MachineInstr &MI) {
            return isWholeLoad(S, MI) && redefinition(MI);
          },
          putBehindDefinition),
      {"a reload stands before the store", nullptr, reloadBeforeStore},
      editing(
          "a value is split before its definition",
          [](const Subject &S, const MachineInstr &MI) {
            return isSplit(S, MI) && definitionAhead(MI);
          },
          splitTooEarly),
      editing(
          "a register is overwritten",
          [](const Subject &S, const MachineInstr &MI) {
            return isWholeLoad(S, MI) && isOp(S, MI, Op::LD_i32);
          },
          clobber),
  };
}

} // namespace regdem::test
