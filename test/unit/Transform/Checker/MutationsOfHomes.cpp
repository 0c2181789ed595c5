//===- MutationsOfHomes.cpp - mistakes in what is no thread's slot --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationSearch.h"
#include "Mutations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include <optional>

using namespace llvm;

namespace regdem::test {

/// Whether MI is one of two or more definitions of what the original defines
/// once, and not a reload.
static bool isRepeated(const Subject &S, const MachineInstr &MI) {
  if (MI.getNumOperands() < 2 || !MI.getOperand(0).isReg() ||
      !MI.getOperand(0).isDef() || MI.mayLoad())
    return false;
  Register Reg = MI.getOperand(0).getReg();
  return Reg.isVirtual() && S.isOriginal(Reg) &&
         S.Original.getRegInfo().hasOneDef(Reg) &&
         !MI.getMF()->getRegInfo().hasOneDef(Reg);
}

static bool otherOperand(const Subject &S, MachineFunction &MF, unsigned Site) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  auto Others = [&](Register Reg) {
    std::vector<Register> Result;
    for (unsigned I = 0; I != S.Original.getRegInfo().getNumVirtRegs(); ++I)
      if (Register Other = Register::index2VirtReg(I);
          Other != Reg && MRI.getRegClass(Other) == MRI.getRegClass(Reg))
        Result.push_back(Other);
    return Result;
  };
  auto ReadsRegister = [&](const Subject &S, const MachineInstr &MI) {
    return isRepeated(S, MI) && MI.getOperand(1).isReg() &&
           !Others(MI.getOperand(1).getReg()).empty();
  };
  return at(S, MF, Site, ReadsRegister, [&](MachineInstr &MI) {
    MachineOperand &MO = MI.getOperand(1);
    std::vector<Register> List = Others(MO.getReg());
    MO.setReg(List[Site % List.size()]);
  });
}

static bool otherConstant(const Subject &S, MachineFunction &MF,
                          unsigned Site) {
  auto HasNumber = [](const Subject &S, const MachineInstr &MI) {
    return isRepeated(S, MI) && MI.getOperand(MI.getNumOperands() - 1).isImm();
  };
  return at(S, MF, Site, HasNumber, [](MachineInstr &MI) {
    MachineOperand &MO = MI.getOperand(MI.getNumOperands() - 1);
    MO.setImm(MO.getImm() + 4);
  });
}

/// A value that is no function of free values is recomputed where it should be
/// reloaded.
static bool recomputedFromOthers(const Subject &S, Recipe &R, unsigned Site) {
  for (PlanAction &A : R.Plan.Actions)
    if (A.What == PlanAction::Reload &&
        S.Original.getRegInfo().hasOneDef(S.Code.registerOf(A.Value)) &&
        Site-- == 0) {
      A.What = PlanAction::Recompute;
      return true;
    }
  return false;
}

static bool isOfBlock(const PlanAction &A) { return A.In == Home::BlockSlot; }

/// The Site-th value that Wanted holds for one of whose actions; none where
/// there are not that many.
template <typename Predicate>
static std::optional<ValueId> pickValue(const Recipe &R, unsigned Site,
                                        Predicate Wanted) {
  std::vector<ValueId> Seen;
  for (const PlanAction &A : R.Plan.Actions)
    if (Wanted(A) && !is_contained(Seen, A.Value))
      Seen.push_back(A.Value);
  return Site < Seen.size() ? std::optional(Seen[Site]) : std::nullopt;
}

/// Moves the Site-th value in slots of each thread that has one definition, or
/// several, to words of the block.
static bool moveToBlock(const Subject &S, Recipe &R, unsigned Site,
                        bool OneDefinition) {
  std::optional<ValueId> Value = pickValue(R, Site, [&](const PlanAction &A) {
    return A.In == Home::ThreadSlot &&
           S.Original.getRegInfo().hasOneDef(S.Code.registerOf(A.Value)) ==
               OneDefinition;
  });
  if (!Value)
    return false;
  unsigned First = (R.Layout.BlockWords + 1) / 2 * 2;
  for (PlanAction &A : R.Plan.Actions)
    if (A.Value == *Value) {
      A.In = Home::BlockSlot;
      A.Slot = First;
    }
  R.Layout.BlockWords = First + S.Code.Graph.words(*Value);
  R.Bounds.Bytes = R.Layout.bytes();
  return true;
}

static bool threadsValueInBlock(const Subject &S, Recipe &R, unsigned Site) {
  return moveToBlock(S, R, Site, /*OneDefinition=*/true);
}

static bool changingValueInBlock(const Subject &S, Recipe &R, unsigned Site) {
  return moveToBlock(S, R, Site, /*OneDefinition=*/false);
}

static bool sharedBlockWord(const Subject &, Recipe &R, unsigned Site) {
  std::optional<ValueId> V = pickValue(R, Site, isOfBlock);
  if (!V)
    return false;
  for (const PlanAction &Other : R.Plan.Actions) {
    if (!isOfBlock(Other) || Other.Value == *V)
      continue;
    unsigned Slot = Other.Slot;
    for (PlanAction &A : R.Plan.Actions)
      if (A.Value == *V)
        A.Slot = Slot;
    break;
  }
  return true;
}

/// The block's words lie where the threads' are, all of them, so that each
/// reload finds what the thread itself has stored.
static bool blockAmongThreads(const Subject &S, MachineFunction &MF,
                              unsigned Site) {
  const SlotLayout &Layout = S.Right.Layout;
  auto First = static_cast<int64_t>(Layout.blockOffset(0));
  if (!Layout.BlockWords || Site >= Layout.Words)
    return false;
  auto IsOfBlock = [&](const Subject &S, const MachineInstr &MI) {
    return isSlotAccess(S, MI) &&
           offsetOf(S, const_cast<MachineInstr &>(MI)).getImm() >= First;
  };
  auto MoveDown = [&](MachineInstr &MI) {
    MachineOperand &MO = offsetOf(S, MI);
    MO.setImm(MO.getImm() - First +
              static_cast<int64_t>(Layout.offset(Site) / 8 * 8));
  };
  while (at(S, MF, 0, IsOfBlock, MoveDown))
    continue;
  return true;
}

static bool skippedBlockStore(const Subject &, Recipe &R, unsigned Site) {
  for (size_t I = 0; I != R.Plan.Actions.size(); ++I) {
    const PlanAction &A = R.Plan.Actions[I];
    if (isOfBlock(A) && A.What == PlanAction::Store && Site-- == 0) {
      R.Plan.Actions.erase(R.Plan.Actions.begin() + I);
      return true;
    }
  }
  return false;
}

std::vector<Mutation> homeMutations() {
  return {
      {"a recomputation reads another register", nullptr, otherOperand},
      {"a recomputation has another constant", nullptr, otherConstant},
      {"a value is recomputed that may not be", recomputedFromOthers, nullptr},
      {"a thread's value is in a block's word", threadsValueInBlock, nullptr},
      {"a changing value is in a block's word", changingValueInBlock, nullptr},
      {"two values share a block's word", sharedBlockWord, nullptr},
      {"a block's word is a thread's", nullptr, blockAmongThreads},
      {"a block's word is not stored", skippedBlockStore, nullptr},
  };
}

} // namespace regdem::test
