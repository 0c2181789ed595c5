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

namespace L = LoadOperand;
namespace St = StoreOperand;

static bool isIn(Op O, std::initializer_list<Op> List) {
  return is_contained(List, O);
}

/// Whether MI reads or writes a slot.
static bool isSlotLoad(const Subject &S, const MachineInstr &MI) {
  return isIn(S.Opcodes.classify(MI.getOpcode()),
              {Op::LD_i16, Op::LD_i32, Op::LD_i64}) &&
         MI.getOperand(L::Base).isReg() &&
         !S.isOriginal(MI.getOperand(L::Base).getReg());
}

static bool isSlotStore(const Subject &S, const MachineInstr &MI) {
  return isIn(S.Opcodes.classify(MI.getOpcode()),
              {Op::ST_i16, Op::ST_i32, Op::ST_i64}) &&
         MI.getOperand(St::Base).isReg() &&
         !S.isOriginal(MI.getOperand(St::Base).getReg());
}

static bool isSlotAccess(const Subject &S, const MachineInstr &MI) {
  return isSlotLoad(S, MI) || isSlotStore(S, MI);
}

static MachineOperand &offsetOf(const Subject &S, MachineInstr &MI) {
  return MI.getOperand(isSlotLoad(S, MI) ? L::Offset : St::Offset);
}

static MachineOperand &bitsOf(const Subject &S, MachineInstr &MI) {
  return MI.getOperand(isSlotLoad(S, MI) ? L::Bits : St::Bits);
}

static bool isOp(const Subject &S, const MachineInstr &MI, Op O) {
  return S.Opcodes.classify(MI.getOpcode()) == O;
}

/// Whether MI is one of the address computations in front.
static bool isAddress(const Subject &S, const MachineInstr &MI) {
  return MI.getParent()->isEntryBlock() && MI.getNumOperands() &&
         MI.getOperand(0).isReg() && MI.getOperand(0).isDef() &&
         !S.isOriginal(MI.getOperand(0).getReg()) && !isSlotLoad(S, MI) &&
         !isIn(S.Opcodes.classify(MI.getOpcode()),
               {Op::I64toV2I32, Op::V2I32toI64});
}

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

/// Moves the Site-th access by Bytes.
static bool shift(const Subject &S, MachineFunction &MF, unsigned Site,
                  int64_t Bytes) {
  return at(S, MF, Site, isSlotAccess, [&](MachineInstr &MI) {
    MachineOperand &MO = offsetOf(S, MI);
    MO.setImm(MO.getImm() + Bytes);
  });
}

static bool nextThread(const Subject &S, MachineFunction &MF, unsigned Site) {
  return shift(S, MF, Site, S.Right.Layout.Unit);
}

static bool beyondRegion(const Subject &S, MachineFunction &MF,
                         unsigned Site) {
  return shift(S, MF, Site, static_cast<int64_t>(S.Right.Bounds.Bytes));
}

static bool beforeRegion(const Subject &S, MachineFunction &MF,
                         unsigned Site) {
  return shift(S, MF, Site, -static_cast<int64_t>(S.Right.Bounds.Bytes));
}

static bool betweenWords(const Subject &S, MachineFunction &MF,
                         unsigned Site) {
  return shift(S, MF, Site, 2);
}

static bool halfWidth(const Subject &S, MachineFunction &MF, unsigned Site) {
  return at(S, MF, Site, isSlotAccess, [&](MachineInstr &MI) {
    bitsOf(S, MI).setImm(bitsOf(S, MI).getImm() / 2);
  });
}

static bool doubleWidth(const Subject &S, MachineFunction &MF, unsigned Site) {
  return at(S, MF, Site, isSlotAccess, [&](MachineInstr &MI) {
    bitsOf(S, MI).setImm(bitsOf(S, MI).getImm() * 2);
  });
}

static bool otherSpace(const Subject &S, MachineFunction &MF, unsigned Site) {
  return at(S, MF, Site, isSlotAccess, [&](MachineInstr &MI) {
    MI.getOperand(isSlotLoad(S, MI) ? L::Space : St::Space)
        .setImm(AddressSpace::Local);
  });
}

/// The next original register of the class of Reg; Reg itself if it is the
/// only one.
static Register neighbour(const Subject &S, const MachineRegisterInfo &MRI,
                          Register Reg) {
  unsigned Count = S.Original.getRegInfo().getNumVirtRegs();
  for (unsigned I = 1; I != Count; ++I) {
    Register Other =
        Register::index2VirtReg((Reg.virtRegIndex() + I) % Count);
    if (MRI.getRegClass(Other) == MRI.getRegClass(Reg))
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

/// The next instruction behind MI in its block, or in the block that control
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

/// A reload stands behind a later definition of the register, and brings the
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

/// The base address is moved on behind the Site-th access.
static bool changeBase(const Subject &S, MachineFunction &MF, unsigned Site) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  return at(S, MF, Site, isSlotAccess, [&](MachineInstr &MI) {
    Register Base =
        MI.getOperand(isSlotLoad(S, MI) ? L::Base : St::Base).getReg();
    BuildMI(*MI.getParent(), std::next(MI.getIterator()), DebugLoc(),
            TII.get(S.Opcodes[Op::ADD64rr]), Base)
        .addReg(Base)
        .addReg(Base);
  });
}

static bool baseTooLate(const Subject &S, MachineFunction &MF, unsigned Site) {
  if (Site)
    return false;
  MachineBasicBlock &Entry = MF.front();
  MachineInstr *Base = nullptr, *Use = nullptr;
  for (MachineInstr &MI : Entry) {
    if (!Use && isSlotAccess(S, MI))
      Use = &MI;
    if (isAddress(S, MI) && isOp(S, MI, Op::ADD64rr))
      Base = &MI;
  }
  if (!Use)
    return false;
  Base->removeFromParent();
  Entry.insertAfter(Use->getIterator(), Base);
  return true;
}

/// Replaces a coordinate or extent that the address is made of by another.
static bool otherCoordinate(const Subject &S, MachineFunction &MF,
                            unsigned Site) {
  constexpr std::pair<Op, Op> Swaps[] = {
      {Op::INT_PTX_SREG_TID_x, Op::INT_PTX_SREG_TID_y},
      {Op::INT_PTX_SREG_TID_y, Op::INT_PTX_SREG_TID_z},
      {Op::INT_PTX_SREG_TID_z, Op::INT_PTX_SREG_TID_x},
      {Op::INT_PTX_SREG_NTID_x, Op::INT_PTX_SREG_NTID_y},
      {Op::INT_PTX_SREG_NTID_y, Op::INT_PTX_SREG_NTID_x}};
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  return at(
      S, MF, Site,
      [&](const Subject &S, const MachineInstr &MI) {
        return isAddress(S, MI) && any_of(Swaps, [&](const auto &Swap) {
                 return isOp(S, MI, Swap.first);
               });
      },
      [&](MachineInstr &MI) {
        for (const auto &[From, To] : Swaps)
          if (isOp(S, MI, From)) {
            MI.setDesc(TII.get(S.Opcodes[To]));
            break;
          }
      });
}

/// Doubles a number that the address is made of.
static bool otherFactor(const Subject &S, MachineFunction &MF, unsigned Site) {
  auto Number = [](const MachineInstr &MI) -> const MachineOperand * {
    for (const MachineOperand &MO : MI.operands())
      if (MO.isImm())
        return &MO;
    return nullptr;
  };
  return at(
      S, MF, Site,
      [&](const Subject &S, const MachineInstr &MI) {
        return isAddress(S, MI) && Number(MI);
      },
      [&](MachineInstr &MI) {
        auto *MO = const_cast<MachineOperand *>(Number(MI));
        MO->setImm(2 * MO->getImm());
      });
}

std::vector<Mutation> insertionMutations() {
  return {
      {"half of a reload is left out", nullptr, dropHalfReload},
      {"half of a store is left out", nullptr, dropHalfStore},
      {"halves are joined the wrong way round", nullptr, swapJoin},
      {"halves are split the wrong way round", nullptr, swapSplit},
      {"two loads swap their offsets", nullptr, swapLoadOffsets},
      {"an access goes to the next thread's slot", nullptr, nextThread},
      {"an access lies behind the region", nullptr, beyondRegion},
      {"an access lies before the region", nullptr, beforeRegion},
      {"an access lies between two words", nullptr, betweenWords},
      {"an access has half the width", nullptr, halfWidth},
      {"an access has double the width", nullptr, doubleWidth},
      {"an access goes to another memory", nullptr, otherSpace},
      {"a reload sets another register", nullptr, reloadOther},
      {"a store takes another register", nullptr, storeOther},
      {"a reload stands behind a redefinition", nullptr,
       reloadBehindDefinition},
      {"a reload stands before the store", nullptr, reloadBeforeStore},
      {"a register is overwritten", nullptr, clobber},
      {"the base address changes on the way", nullptr, changeBase},
      {"the base address comes too late", nullptr, baseTooLate},
      {"the address uses another coordinate", nullptr, otherCoordinate},
      {"the address uses another factor", nullptr, otherFactor},
  };
}

} // namespace regdem::test
