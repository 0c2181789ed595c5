//===- MutationsOfAddress.cpp - mistakes in where accesses go -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationSearch.h"

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

/// Moves each access by so many bytes.
template <typename Distance>
static Mutation shifting(const char *Name, Distance Bytes) {
  return editing(Name, isSlotAccess, [=](const Subject &S, MachineInstr &MI) {
    MachineOperand &MO = offsetOf(S, MI);
    MO.setImm(MO.getImm() + Bytes(S));
  });
}

static int64_t toNextThread(const Subject &S) {
  const SlotLayout &Layout = S.Right.Layout;
  return Layout.ThreadBytes ? Layout.ThreadBytes : Layout.Unit;
}

/// Bytes by which each access of some thread misses the region.
static int64_t farAway(const Subject &S) {
  const RegionBounds &Bounds = S.Right.Bounds;
  return Bounds.ThreadBytes ? int64_t(Bounds.ThreadBytes) * Bounds.Threads
                            : static_cast<int64_t>(Bounds.Bytes);
}

/// The base address is moved on after an access.
static void changeBase(const Subject &S, MachineInstr &MI) {
  const TargetInstrInfo &TII = *MI.getMF()->getSubtarget().getInstrInfo();
  Register Base =
      MI.getOperand(isSlotLoad(S, MI) ? L::Base : St::Base).getReg();
  BuildMI(*MI.getParent(), std::next(MI.getIterator()), DebugLoc(),
          TII.get(S.Opcodes[Op::ADD64rr]), Base)
      .addReg(Base)
      .addReg(Base);
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
static Mutation otherCoordinate(const char *Name) {
  static constexpr std::pair<Op, Op> Swaps[] = {
      {Op::INT_PTX_SREG_TID_x, Op::INT_PTX_SREG_TID_y},
      {Op::INT_PTX_SREG_TID_y, Op::INT_PTX_SREG_TID_z},
      {Op::INT_PTX_SREG_TID_z, Op::INT_PTX_SREG_TID_x},
      {Op::INT_PTX_SREG_NTID_x, Op::INT_PTX_SREG_NTID_y},
      {Op::INT_PTX_SREG_NTID_y, Op::INT_PTX_SREG_NTID_x},
      {Op::INT_PTX_SREG_DYNAMIC_SMEM_SIZE, Op::INT_PTX_SREG_NTID_x}};
  auto Find = [](const Subject &S, const MachineInstr &MI) {
    return find_if(Swaps,
                   [&](const auto &Swap) { return isOp(S, MI, Swap.first); });
  };
  return editing(
      Name,
      [=](const Subject &S, const MachineInstr &MI) {
        return isAddress(S, MI) && Find(S, MI) != std::end(Swaps);
      },
      [=](const Subject &S, MachineInstr &MI) {
        const TargetInstrInfo &TII = *MI.getMF()->getSubtarget().getInstrInfo();
        MI.setDesc(TII.get(S.Opcodes[Find(S, MI)->second]));
      });
}

/// Puts Change(N) in the place of a number N that the address is made of.
static Mutation changingNumber(const char *Name, int64_t (*Change)(int64_t)) {
  auto Number = [](const MachineInstr &MI) {
    return find_if(MI.operands(),
                   [](const MachineOperand &MO) { return MO.isImm(); });
  };
  return editing(
      Name,
      [=](const Subject &S, const MachineInstr &MI) {
        return isAddress(S, MI) && Number(MI) != MI.operands_end();
      },
      [=](const Subject &, MachineInstr &MI) {
        auto *MO = const_cast<MachineOperand *>(Number(MI));
        MO->setImm(Change(MO->getImm()));
      });
}

std::vector<Mutation> addressMutations() {
  return {
      shifting("an access goes to the next thread's slot", toNextThread),
      shifting("an access lies behind the region", farAway),
      shifting("an access lies before the region",
               [](const Subject &S) { return -farAway(S); }),
      shifting("an access lies between two words",
               [](const Subject &) { return 2; }),
      editing("an access has half the width", isSlotAccess,
              [](const Subject &S, MachineInstr &MI) {
                bitsOf(S, MI).setImm(bitsOf(S, MI).getImm() / 2);
              }),
      editing("an access has double the width", isSlotAccess,
              [](const Subject &S, MachineInstr &MI) {
                bitsOf(S, MI).setImm(bitsOf(S, MI).getImm() * 2);
              }),
      editing("an access goes to another memory", isSlotAccess,
              [](const Subject &S, MachineInstr &MI) {
                MI.getOperand(isSlotLoad(S, MI) ? L::Space : St::Space)
                    .setImm(AddressSpace::Local);
              }),
      editing("the base address changes on the way", isSlotAccess, changeBase),
      {"the base address comes too late", nullptr, baseTooLate},
      otherCoordinate("the address uses another coordinate"),
      changingNumber("the address uses another factor",
                     [](int64_t N) { return 2 * N; }),
      changingNumber("the address uses another sign",
                     [](int64_t N) { return -N; }),
  };
}

} // namespace regdem::test
