//===- MutationsOfAddress.cpp - mistakes in where accesses go -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationSearch.h"
#include "Mutations.h"

#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regdem::test {

static MachineOperand &bitsOf(const Subject &S, MachineInstr &MI) {
  return MI.getOperand(isSlotLoad(S, MI) ? L::Bits : St::Bits);
}

/// Whether MI is one of the address computations in front.
static bool isAddress(const Subject &S, const MachineInstr &MI) {
  return MI.getParent()->isEntryBlock() && MI.getNumOperands() &&
         MI.getOperand(0).isReg() && MI.getOperand(0).isDef() &&
         !S.isOriginal(MI.getOperand(0).getReg()) && !isSlotLoad(S, MI) &&
         !isIn(S.Opcodes.classify(MI.getOpcode()),
               {Op::I64toV2I32, Op::V2I32toI64});
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
  const SlotLayout &Layout = S.Right.Layout;
  return shift(S, MF, Site,
               Layout.ThreadBytes ? Layout.ThreadBytes : Layout.Unit);
}

/// Bytes by which each access of some thread misses the region.
static int64_t farAway(const Subject &S) {
  const RegionBounds &Bounds = S.Right.Bounds;
  return Bounds.ThreadBytes ? int64_t(Bounds.ThreadBytes) * Bounds.Threads
                            : static_cast<int64_t>(Bounds.Bytes);
}

static bool beyondRegion(const Subject &S, MachineFunction &MF, unsigned Site) {
  return shift(S, MF, Site, farAway(S));
}

static bool beforeRegion(const Subject &S, MachineFunction &MF, unsigned Site) {
  return shift(S, MF, Site, -farAway(S));
}

static bool betweenWords(const Subject &S, MachineFunction &MF, unsigned Site) {
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

/// The base address is moved on after the Site-th access.
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
      {Op::INT_PTX_SREG_NTID_y, Op::INT_PTX_SREG_NTID_x},
      {Op::INT_PTX_SREG_DYNAMIC_SMEM_SIZE, Op::INT_PTX_SREG_NTID_x}};
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

/// Puts Change(N) in the place of a number N that the address is made of.
static bool changeNumber(const Subject &S, MachineFunction &MF, unsigned Site,
                         int64_t (*Change)(int64_t)) {
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
        MO->setImm(Change(MO->getImm()));
      });
}

static bool otherFactor(const Subject &S, MachineFunction &MF, unsigned Site) {
  return changeNumber(S, MF, Site, [](int64_t N) { return 2 * N; });
}

static bool otherSign(const Subject &S, MachineFunction &MF, unsigned Site) {
  return changeNumber(S, MF, Site, [](int64_t N) { return -N; });
}

std::vector<Mutation> addressMutations() {
  return {
      {"an access goes to the next thread's slot", nullptr, nextThread},
      {"an access lies behind the region", nullptr, beyondRegion},
      {"an access lies before the region", nullptr, beforeRegion},
      {"an access lies between two words", nullptr, betweenWords},
      {"an access has half the width", nullptr, halfWidth},
      {"an access has double the width", nullptr, doubleWidth},
      {"an access goes to another memory", nullptr, otherSpace},
      {"the base address changes on the way", nullptr, changeBase},
      {"the base address comes too late", nullptr, baseTooLate},
      {"the address uses another coordinate", nullptr, otherCoordinate},
      {"the address uses another factor", nullptr, otherFactor},
      {"the address uses another sign", nullptr, otherSign},
  };
}

} // namespace regdem::test
