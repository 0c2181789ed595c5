//===- MutationsOfRecomputation.cpp - mistakes in what is recomputed ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationSearch.h"

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

/// What MI may read in place of its first source.
static std::vector<Register> others(const Subject &S, const MachineInstr &MI) {
  const MachineRegisterInfo &MRI = MI.getMF()->getRegInfo();
  Register Reg = MI.getOperand(1).getReg();
  std::vector<Register> Result;
  for (unsigned I = 0; I != S.Original.getRegInfo().getNumVirtRegs(); ++I)
    if (Register Other = Register::index2VirtReg(I);
        Other != Reg && MRI.getRegClass(Other) == MRI.getRegClass(Reg))
      Result.push_back(Other);
  return Result;
}

static bool otherOperand(const Subject &S, MachineFunction &MF, unsigned Site) {
  auto ReadsRegister = [](const Subject &S, const MachineInstr &MI) {
    return isRepeated(S, MI) && MI.getOperand(1).isReg() &&
           !others(S, MI).empty();
  };
  auto Change = [Site](const Subject &S, MachineInstr &MI) {
    std::vector<Register> List = others(S, MI);
    MI.getOperand(1).setReg(List[Site % List.size()]);
  };
  return editing("", ReadsRegister, Change).InCode(S, MF, Site);
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
      editing(
          "a recomputation has another constant",
          [](const Subject &S, const MachineInstr &MI) {
            return isRepeated(S, MI) && hasLastNumber(MI);
          },
          changeLastNumber),
      {"a value is recomputed that may not be", recomputedFromOthers},
  };
}

} // namespace regdem::test
