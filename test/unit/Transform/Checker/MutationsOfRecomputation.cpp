//===- MutationsOfRecomputation.cpp - mistakes in what is recomputed ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationSearch.h"
#include "Mutations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

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

std::vector<Mutation> recomputationMutations() {
  return {
      {"a recomputation reads another register", nullptr, otherOperand},
      {"a recomputation has another constant", nullptr, otherConstant},
      {"a value is recomputed that may not be", recomputedFromOthers, nullptr},
  };
}

} // namespace regdem::test
