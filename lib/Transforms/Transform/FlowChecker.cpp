//===- FlowChecker.cpp - prove that moved code computes the same ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowChecker.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
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

FlowSnapshot::Source FlowSnapshot::valueOf(Register Reg) const {
  auto It = AtEnd.find(Reg);
  return It == AtEnd.end() ? Source{nullptr, 0, Reg.id()} : It->second;
}

FlowSnapshot::FlowSnapshot(const MachineBasicBlock &Block,
                           const NVPTXOpcodes &Opcodes)
    : Block(Block), Opcodes(Opcodes) {
  unsigned Effects = 0, Ends = 0, Terminators = 0;
  for (const MachineInstr &I : Block) {
    if (I.isDebugOrPseudoInstr())
      continue;
    Place &P = Places[&I];
    P.Opcode = I.getOpcode();
    P.Operands.assign(I.operands_begin(), I.operands_end());
    P.Terminators = Terminators;
    for (const MachineOperand &Operand : I.operands())
      if (Operand.isReg() && Operand.readsReg())
        P.Sources.push_back(valueOf(Operand.getReg()));
    for (const MachineOperand &Def : I.all_defs())
      AtEnd[Def.getReg()] = {&I, Def.getOperandNo(), 0};
    bool HasEffect = hasEffect(I, Opcodes);
    if (HasEffect || (I.mayLoad() && !loadsConstantsOnly(I, Opcodes)))
      P.Effects = Effects;
    if (mayFault(I, Opcodes))
      P.Ends = Ends;
    Effects += HasEffect;
    Ends += mayEndThread(I);
    Terminators += I.isTerminator();
    if (HasEffect || I.isTerminator())
      Fixed.push_back(&I);
  }
}

const char *FlowSnapshot::difference(const Place &Before, const Place &Now) {
  // The operands are the same but for what is known of live ranges.
  bool AreSame = llvm::equal(
      Now.Operands, Before.Operands,
      [](const auto &X, const auto &Y) { return X.isIdenticalTo(Y); });
  if (Now.Opcode != Before.Opcode || !AreSame)
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

/// How Now differs; empty: not at all.
std::string FlowSnapshot::difference(const FlowSnapshot &Now) const {
  if (Now.Places.size() != Places.size())
    return (Twine(Now.Places.size()) + " instructions instead of " +
            Twine(Places.size()))
        .str();
  if (Now.Fixed != Fixed)
    return "effects have changed places";
  unsigned Number = 0;
  for (const MachineInstr &I : Block) {
    auto Its = Now.Places.find(&I), Old = Places.find(&I);
    if (Its == Now.Places.end())
      continue;
    const char *What =
        Old == Places.end() ? "is new" : difference(Old->second, Its->second);
    if (What)
      return ("instruction " + Twine(Number) + " " + What).str();
    ++Number;
  }
  for (const FlowSnapshot *Flow : {this, &Now})
    for (const auto &[Reg, From] : Flow->AtEnd)
      if (Now.valueOf(Reg) != valueOf(Reg))
        return "a register holds something else at the end";
  return "";
}

Error FlowSnapshot::check() const {
  std::string What = difference(FlowSnapshot(Block, Opcodes));
  if (What.empty())
    return Error::success();
  return createStringError("new order: block " + Twine(Block.getNumber()) +
                           ": " + What);
}

} // namespace regdem
