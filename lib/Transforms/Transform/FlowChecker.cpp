//===- FlowChecker.cpp - prove that moved code computes the same ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowChecker.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/Twine.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineMemOperand.h"

using namespace llvm;

namespace regdem {

/// Whether everything that I loads stays the same while the kernel runs, as its
/// opcode or its memory operands say.
static bool loadsConstantsOnly(const MachineInstr &I,
                               const NVPTXOpcodes &Opcodes) {
  if (Opcodes.isReadOnlyLoad(I.getOpcode()))
    return true;
  return I.mayLoad() && !I.mayStore() && !I.memoperands_empty() &&
         all_of(I.memoperands(), [](const MachineMemOperand *Operand) {
           return Operand->isInvariant() && !Operand->isVolatile() &&
                  !Operand->isAtomic();
         });
}

/// Whether I has to keep its place among its like. Loads through the read-only
/// path are described to LLVM as if they had side effects; others without
/// memory operands may be volatile.
static bool hasEffect(const MachineInstr &I, const NVPTXOpcodes &Opcodes) {
  if (Opcodes.isReadOnlyLoad(I.getOpcode()))
    return false;
  return I.mayStore() || I.isCall() || I.isConvergent() || I.isPosition() ||
         I.hasUnmodeledSideEffects() || I.hasOrderedMemoryRef();
}

/// Whether I loads from an address that may not be valid at any other time.
static bool mayFault(const MachineInstr &I, const NVPTXOpcodes &Opcodes) {
  return Opcodes.isReadOnlyLoad(I.getOpcode()) ||
         (I.mayLoad() && !I.isDereferenceableInvariantLoad());
}

/// Whether a thread that executes I may never come to what stands after it.
static bool mayEndThread(const MachineInstr &I) {
  return I.isCall() || (I.isInlineAsm() && I.hasUnmodeledSideEffects());
}

FlowSnapshot::FlowSnapshot(const MachineBasicBlock &Block,
                           const NVPTXOpcodes &Opcodes)
    : Block(&Block), MF(*Block.getParent()), Opcodes(Opcodes) {
  readAll();
}

FlowSnapshot::FlowSnapshot(const MachineFunction &MF,
                           const NVPTXOpcodes &Opcodes)
    : MF(MF), Opcodes(Opcodes) {
  readAll();
}

void FlowSnapshot::readAll() {
  if (Block)
    read(*Block);
  else
    for (const MachineBasicBlock &From : MF)
      read(From);
}

FlowSnapshot::Source FlowSnapshot::BlockFlow::valueOf(Register Reg) const {
  auto It = AtEnd.find(Reg);
  return It == AtEnd.end() ? Source{nullptr, 0, Reg.id()} : It->second;
}

void FlowSnapshot::read(const MachineBasicBlock &From) {
  BlockFlow &Flow = Flows.emplace_back();
  unsigned Effects = 0, Ends = 0, Terminators = 0;
  auto Read = [&](Register Reg) {
    Source Value = Flow.valueOf(Reg);
    if (!std::get<0>(Value))
      ReadAtStart.insert(Register(std::get<2>(Value)));
    return Value;
  };
  for (const MachineInstr &I : From) {
    if (I.isDebugOrPseudoInstr())
      continue;
    if (isFolded() && I.isCopy()) {
      Flow.AtEnd[I.getOperand(0).getReg()] = Read(I.getOperand(1).getReg());
      continue;
    }
    Place &P = Flow.Places[&I];
    P.Opcode = I.getOpcode();
    P.Operands.assign(I.operands_begin(), I.operands_end());
    P.Terminators = Terminators;
    for (const MachineOperand &Operand : I.operands())
      if (Operand.isReg() && Operand.readsReg())
        P.Sources.push_back(Read(Operand.getReg()));
    for (const MachineOperand &Def : I.all_defs())
      Flow.AtEnd[Def.getReg()] = {&I, Def.getOperandNo(), 0};
    bool HasEffect = hasEffect(I, Opcodes);
    if (HasEffect || (I.mayLoad() && !loadsConstantsOnly(I, Opcodes)))
      P.Effects = Effects;
    if (mayFault(I, Opcodes))
      P.Ends = Ends;
    Effects += HasEffect;
    Ends += mayEndThread(I);
    Terminators += I.isTerminator();
    if (HasEffect || I.isTerminator() ||
        (isFolded() && !Opcodes.isArithmetic(I.getOpcode())))
      Flow.Fixed.push_back(&I);
  }
}

bool areSame(ArrayRef<MachineOperand> A, ArrayRef<MachineOperand> B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const MachineOperand &X, const MachineOperand &Y) {
                      return X.isIdenticalTo(Y);
                    });
}

/// Whether the operands are the same, whatever registers they are in.
static bool areAlike(ArrayRef<MachineOperand> A, ArrayRef<MachineOperand> B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const MachineOperand &X, const MachineOperand &Y) {
                      if (X.isReg() && Y.isReg() && X.getReg().isVirtual() &&
                          Y.getReg().isVirtual())
                        return X.isDef() == Y.isDef();
                      return X.isIdenticalTo(Y);
                    });
}

const char *FlowSnapshot::difference(const Place &Before,
                                     const Place &Now) const {
  auto AreEqual = isFolded() ? areAlike : areSame;
  if (Now.Opcode != Before.Opcode || !AreEqual(Now.Operands, Before.Operands))
    return "is another";
  if (Now.Terminators != Before.Terminators)
    return "stands behind another terminator";
  if (Now.Sources != Before.Sources)
    return "reads what others wrote";
  if (Now.Effects != Before.Effects)
    return "reads memory at another time";
  if (Now.Ends < Before.Ends)
    return "loads ahead of what may end the thread";
  return nullptr;
}

std::string FlowSnapshot::difference(const BlockFlow &Before,
                                     const BlockFlow &Now,
                                     const MachineBasicBlock &Code) const {
  if (Now.Places.size() != Before.Places.size())
    return (Twine(Now.Places.size()) + " instructions instead of " +
            Twine(Before.Places.size()))
        .str();
  if (Now.Fixed != Before.Fixed)
    return "effects have changed places";
  unsigned Number = 0;
  for (const MachineInstr &I : Code) {
    auto Its = Now.Places.find(&I), Old = Before.Places.find(&I);
    if (Its == Now.Places.end())
      continue;
    const char *What = Old == Before.Places.end()
                           ? "is new"
                           : difference(Old->second, Its->second);
    if (What)
      return ("instruction " + Twine(Number) + " " + What).str();
    ++Number;
  }
  return "";
}

Error FlowSnapshot::check() const {
  const FlowSnapshot Now =
      Block ? FlowSnapshot(*Block, Opcodes) : FlowSnapshot(MF, Opcodes);
  StringRef Title = isFolded() ? "folded copies: " : "new order: ";
  if (Now.Flows.size() != Flows.size())
    return createStringError(Title + "a block is lost");
  auto IsKept = [&](Register Reg, const BlockFlow &Before,
                    const BlockFlow &After) {
    return After.valueOf(Reg) == Before.valueOf(Reg) ||
           (isFolded() && !Now.ReadAtStart.contains(Reg));
  };
  auto Code = Block ? Block->getIterator() : MF.begin();
  for (auto [Before, After] : zip_equal(Flows, Now.Flows)) {
    std::string What = difference(Before, After, *Code);
    for (const BlockFlow *Flow : {&Before, &After})
      for (const auto &[Reg, From] : Flow->AtEnd)
        if (What.empty() && !IsKept(Reg, Before, After))
          What = "a register holds something else at the end";
    if (!What.empty())
      return createStringError(Title + "block " + Twine(Code->getNumber()) +
                               ": " + What);
    ++Code;
  }
  return Error::success();
}

} // namespace regdem
