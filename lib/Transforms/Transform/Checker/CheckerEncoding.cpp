//===- CheckerEncoding.cpp - a function as it is compared -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerEncoding.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regdem::checker {

namespace {

class Encoder {
public:
  explicit Encoder(const MachineFunction &MF) : MF(MF) {
    Result.Registers.resize(MF.getRegInfo().getNumVirtRegs());
    LayoutIndex.resize(MF.getNumBlockIDs(), NoBlock);
    unsigned Index = 0;
    size_t Instrs = 0;
    for (const MachineBasicBlock &MBB : MF) {
      LayoutIndex[MBB.getNumber()] = Index++;
      Instrs += MBB.size();
    }
    Result.Blocks.reserve(Index);
    Result.Instrs.reserve(Instrs);
  }

  EncodedFunction run() {
    for (const MachineBasicBlock &MBB : MF)
      addBlock(MBB);
    return std::move(Result);
  }

private:
  void addBlock(const MachineBasicBlock &MBB);
  void addInstr(const MachineInstr &MI);
  unsigned fallThrough(const MachineBasicBlock &MBB) const;
  bool successorsAgree(const MachineBasicBlock &MBB,
                       const EncodedBlock &B) const;

  const MachineFunction &MF;
  EncodedFunction Result;
  std::vector<unsigned> LayoutIndex;
};

} // namespace

/// GOTO, of which only the target matters; BRX_END jumps too but has an index.
static bool isPlainJump(const MachineInstr &MI) {
  return MI.isUnconditionalBranch() && MI.getNumOperands() == 1 &&
         MI.getOperand(0).isMBB();
}

unsigned Encoder::fallThrough(const MachineBasicBlock &MBB) const {
  const MachineBasicBlock *Next = MBB.getNextNode();
  return Next && MBB.isSuccessor(Next) ? LayoutIndex[Next->getNumber()]
                                       : NoBlock;
}

bool Encoder::successorsAgree(const MachineBasicBlock &MBB,
                              const EncodedBlock &B) const {
  SmallVector<unsigned, 8> Listed, Named;
  for (const MachineBasicBlock *Succ : MBB.successors())
    Listed.push_back(LayoutIndex[Succ->getNumber()]);
  Named.append(Result.Targets.begin() + B.FirstTarget,
               Result.Targets.begin() + B.EndTarget);
  if (B.Else != NoBlock)
    Named.push_back(B.Else);
  for (auto *List : {&Listed, &Named}) {
    llvm::sort(*List);
    List->erase(llvm::unique(*List), List->end());
  }
  return Listed == Named;
}

void Encoder::addBlock(const MachineBasicBlock &MBB) {
  EncodedBlock B;
  B.Number = MBB.getNumber();
  B.FirstInstr = Result.Instrs.size();
  B.FirstTarget = Result.Targets.size();
  bool InTerminators = false, Leaves = false;
  for (const MachineInstr &MI : MBB) {
    if (MI.isDebugInstr())
      continue;
    if (MI.isTerminator() && !InTerminators) {
      InTerminators = true;
      B.FirstTerminator = Result.Instrs.size();
    }
    if (isPlainJump(MI) && &MI == &MBB.back()) {
      B.Else = LayoutIndex[MI.getOperand(0).getMBB()->getNumber()];
      Leaves = true;
      continue;
    }
    Leaves = MI.isBarrier();
    addInstr(MI);
  }
  B.EndInstr = Result.Instrs.size();
  if (!InTerminators)
    B.FirstTerminator = B.EndInstr;
  B.EndTarget = Result.Targets.size();
  if (!Leaves)
    B.Else = fallThrough(MBB);
  B.SuccessorsAgree = successorsAgree(MBB, B);
  Result.Blocks.push_back(B);
}

void Encoder::addInstr(const MachineInstr &MI) {
  for (const MachineOperand &MO : MI.operands()) {
    if (MO.isReg() && MO.getReg().isVirtual())
      Result.Registers.set(MO.getReg().virtRegIndex());
    else if (MO.isMBB())
      Result.Targets.push_back(LayoutIndex[MO.getMBB()->getNumber()]);
    // Kinds that no NVPTX instruction has at this stage.
    else if (MO.getType() > MachineOperand::MO_Predicate &&
             !Result.Incomparable)
      Result.Incomparable = &MI;
  }
  Result.Instrs.push_back(&MI);
}

EncodedFunction encodeFunction(const MachineFunction &MF) {
  return Encoder(MF).run();
}

static bool areSameOperands(const MachineInstr &A, const MachineInstr &B,
                            unsigned Index) {
  const MachineOperand &X = A.getOperand(Index), &Y = B.getOperand(Index);
  if (X.isMBB() && Y.isMBB())
    return X.getTargetFlags() == Y.getTargetFlags();
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
