//===- CheckerEncoding.cpp - a function as it is compared -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerEncoding.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem::checker {

static void addInstr(EncodedFunction &To, const MachineInstr &MI) {
  for (const MachineOperand &MO : MI.operands()) {
    if (MO.isReg() && MO.getReg().isVirtual())
      To.Registers.set(MO.getReg().virtRegIndex());
    // Kinds that no NVPTX instruction has at this stage.
    else if (MO.getType() > MachineOperand::MO_Predicate && !To.Incomparable)
      To.Incomparable = &MI;
  }
  To.Instrs.push_back(&MI);
}

EncodedFunction encodeFunction(const MachineFunction &MF) {
  EncodedFunction Result;
  Result.Registers.resize(MF.getRegInfo().getNumVirtRegs());
  DenseMap<const MachineBasicBlock *, unsigned> Places;
  for (const MachineBasicBlock &MBB : MF)
    Places.try_emplace(&MBB, Places.size());
  for (const MachineBasicBlock &MBB : MF) {
    EncodedBlock B;
    B.Number = MBB.getNumber();
    B.FirstInstr = Result.Instrs.size();
    bool InTerminators = false;
    for (const MachineInstr &MI : MBB) {
      if (MI.isDebugInstr())
        continue;
      if (MI.isTerminator() && !InTerminators) {
        InTerminators = true;
        B.FirstTerminator = Result.Instrs.size();
      }
      addInstr(Result, MI);
    }
    B.EndInstr = Result.Instrs.size();
    if (!InTerminators)
      B.FirstTerminator = B.EndInstr;
    for (const MachineBasicBlock *Succ : MBB.successors())
      B.Successors.push_back(Places.lookup(Succ));
    Result.Blocks.push_back(std::move(B));
  }
  return Result;
}

static bool areSameOperands(const MachineInstr &A, const MachineInstr &B,
                            unsigned Index) {
  const MachineOperand &X = A.getOperand(Index), &Y = B.getOperand(Index);
  if (X.isMBB() && Y.isMBB())
    return X.getTargetFlags() == Y.getTargetFlags() &&
           X.getMBB()->getNumber() == Y.getMBB()->getNumber();
  if (!X.isIdenticalTo(Y))
    return false;
  // Of registers, isIdenticalTo leaves out what follows.
  return !X.isReg() ||
         (X.isImplicit() == Y.isImplicit() && X.isUndef() == Y.isUndef() &&
          X.isEarlyClobber() == Y.isEarlyClobber() &&
          X.isInternalRead() == Y.isInternalRead() &&
          X.isTied() == Y.isTied() &&
          (!X.isTied() ||
           A.findTiedOperandIdx(Index) == B.findTiedOperandIdx(Index)));
}

static bool areSameAccesses(const MachineMemOperand *X,
                            const MachineMemOperand *Y) {
  return *X == *Y && X->getSuccessOrdering() == Y->getSuccessOrdering() &&
         X->getFailureOrdering() == Y->getFailureOrdering() &&
         X->getSyncScopeID() == Y->getSyncScopeID();
}

bool areSame(const MachineInstr &A, const MachineInstr &B) {
  if (A.getOpcode() != B.getOpcode() || A.getFlags() != B.getFlags() ||
      A.getNumOperands() != B.getNumOperands() ||
      !llvm::equal(A.memoperands(), B.memoperands(), areSameAccesses))
    return false;
  for (unsigned I = 0; I != A.getNumOperands(); ++I)
    if (!areSameOperands(A, B, I))
      return false;
  return true;
}

unsigned SameInstr::getHashValue(const MachineInstr *MI) {
  hash_code Hash = hash_value(MI->getOpcode());
  for (const MachineOperand &MO : MI->operands())
    if (!MO.isMBB())
      Hash = hash_combine(Hash, MO);
  return static_cast<unsigned>(size_t(Hash));
}

bool SameInstr::isEqual(const MachineInstr *A, const MachineInstr *B) {
  if (A == B)
    return true;
  for (const MachineInstr *MI : {A, B})
    if (MI == getEmptyKey() || MI == getTombstoneKey())
      return false;
  return areSame(*A, *B);
}

} // namespace regdem::checker

namespace regdem {

FunctionSnapshot::FunctionSnapshot(MachineFunction &MF) {
  auto Now =
      std::make_shared<checker::EncodedFunction>(checker::encodeFunction(MF));
  // The instructions may be changed or erased from now on, and what they say of
  // their accesses may be changed, too. The copies stand in no block and are
  // freed with MF.
  for (const MachineInstr *&MI : Now->Instrs) {
    MachineInstr *Copy = MF.CloneMachineInstr(MI);
    SmallVector<MachineMemOperand *, 2> Accesses;
    for (const MachineMemOperand *MMO : MI->memoperands())
      Accesses.push_back(MF.getMachineMemOperand(MMO, MMO->getFlags()));
    Copy->setMemRefs(MF, Accesses);
    MI = Copy;
  }
  Code = std::move(Now);
}

} // namespace regdem
