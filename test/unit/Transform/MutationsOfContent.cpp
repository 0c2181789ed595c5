//===- MutationsOfContent.cpp - instructions that are others --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderMutations.h"

#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regdem::test {

/// Changes each instruction by Edit, which returns what takes it back, or
/// nothing where it cannot be changed so.
using Undo = std::function<void()>;
template <typename Editor>
static OrderMutation editing(const char *Name, Editor Edit) {
  return {Name, [Edit](OrderSubject &S, function_ref<void()> Judge) {
            for (MachineInstr *I : S.insts())
              if (Undo Back = Edit(S, *I)) {
                Judge();
                Back();
                S.restore();
              }
          }};
}

static Undo leaveOut(OrderSubject &, MachineInstr &I) {
  I.removeFromParent();
  return [] {};
}

static Undo repeatHere(OrderSubject &S, MachineInstr &I) {
  S.block().insertAfter(I.getIterator(), S.function().CloneMachineInstr(&I));
  return [] {};
}

static Undo repeatFirst(OrderSubject &S, MachineInstr &I) {
  S.block().insert(S.block().begin(), S.function().CloneMachineInstr(&I));
  return [] {};
}

static Undo moveToNextBlock(OrderSubject &S, MachineInstr &I) {
  MachineBasicBlock &Next = *S.block().getNextNode();
  Next.splice(Next.begin(), &S.block(), I);
  return [] {};
}

/// The number of instructions stays.
static Undo replaceByFirst(OrderSubject &S, MachineInstr &I) {
  MachineInstr *First = S.insts().front();
  if (First == &I)
    return nullptr;
  S.block().insert(I.getIterator(), S.function().CloneMachineInstr(First));
  I.removeFromParent();
  return [] {};
}

/// What an instruction that was erased and a new one at its address look like.
static Undo changeOperation(OrderSubject &S, MachineInstr &I) {
  const TargetInstrInfo &TII = *S.function().getSubtarget().getInstrInfo();
  const MCInstrDesc &Old = I.getDesc();
  if (TII.getName(I.getOpcode()) != "ADD32rr")
    return nullptr;
  for (unsigned Code = 0; Code != TII.getNumOpcodes(); ++Code)
    if (TII.getName(Code) == "SUB32rr")
      I.setDesc(TII.get(Code));
  return [&I, &Old] { I.setDesc(Old); };
}

template <typename Predicate>
static Undo changeRegister(OrderSubject &S, MachineInstr &I, Predicate Wanted) {
  const MachineRegisterInfo &MRI = S.function().getRegInfo();
  for (MachineOperand &Operand : I.operands()) {
    if (!Operand.isReg() || !Operand.getReg().isVirtual() || !Wanted(Operand))
      continue;
    Register Old = Operand.getReg();
    for (unsigned Index = 0; Index != MRI.getNumVirtRegs(); ++Index) {
      Register New = Register::index2VirtReg(Index);
      if (New == Old || MRI.getRegClass(New) != MRI.getRegClass(Old))
        continue;
      Operand.setReg(New);
      return [&Operand, Old] { Operand.setReg(Old); };
    }
  }
  return nullptr;
}

static Undo changeSource(OrderSubject &S, MachineInstr &I) {
  return changeRegister(S, I,
                        [](const MachineOperand &O) { return O.isUse(); });
}

static Undo changeResult(OrderSubject &S, MachineInstr &I) {
  return changeRegister(S, I,
                        [](const MachineOperand &O) { return O.isDef(); });
}

static Undo changeNumber(OrderSubject &, MachineInstr &I) {
  for (MachineOperand &Operand : reverse(I.operands()))
    if (Operand.isImm()) {
      Operand.setImm(Operand.getImm() + 4);
      return [&Operand] { Operand.setImm(Operand.getImm() - 4); };
    }
  return nullptr;
}

/// Both operands may come from the same instruction, or from none.
static Undo swapOperands(OrderSubject &, MachineInstr &I) {
  unsigned Count = I.getNumExplicitOperands();
  if (Count < 3 || I.isInlineAsm())
    return nullptr;
  MachineOperand &A = I.getOperand(Count - 2), &B = I.getOperand(Count - 1);
  if (!A.isReg() || !B.isReg() || A.getReg() == B.getReg())
    return nullptr;
  auto Swap = [&A, &B] {
    Register First = A.getReg();
    A.setReg(B.getReg());
    B.setReg(First);
  };
  Swap();
  return Swap;
}

static Undo changeTarget(OrderSubject &S, MachineInstr &I) {
  for (MachineOperand &Operand : I.operands())
    if (Operand.isMBB()) {
      MachineBasicBlock *Old = Operand.getMBB();
      Operand.setMBB(&S.function().front());
      return [&Operand, Old] { Operand.setMBB(Old); };
    }
  return nullptr;
}

std::vector<OrderMutation> contentMutations() {
  return {
      editing("an instruction is left out", leaveOut),
      editing("an instruction stands twice", repeatHere),
      editing("an instruction stands at the top, too", repeatFirst),
      editing("an instruction stands in the next block", moveToNextBlock),
      editing("an instruction is replaced by another", replaceByFirst),
      editing("an operation is another", changeOperation),
      editing("another register is read", changeSource),
      editing("another register is written", changeResult),
      editing("a number is another", changeNumber),
      editing("two operands are swapped", swapOperands),
      editing("a branch goes elsewhere", changeTarget),
  };
}

} // namespace regdem::test
