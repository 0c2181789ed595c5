//===- OrderChecker.cpp - prove that a new order changes nothing ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderChecker.h"

#include "regdem/Target/NVPTXOpcodes.h"
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

/// Loads through the read-only path are described to LLVM as if they had side
/// effects.
static bool hasEffect(const MachineInstr &I, const NVPTXOpcodes &Opcodes) {
  if (Opcodes.isReadOnlyLoad(I.getOpcode()))
    return false;
  return I.mayStore() || I.isCall() || I.isConvergent() || I.isPosition() ||
         I.hasUnmodeledSideEffects() ||
         any_of(I.memoperands(), [](const MachineMemOperand *Operand) {
           return Operand->isVolatile() || Operand->isAtomic();
         });
}

BlockSnapshot::BlockSnapshot(const MachineBasicBlock &Block,
                             const NVPTXOpcodes &Opcodes) {
  unsigned Effects = 0;
  for (const MachineInstr &I : Block) {
    if (I.isDebugOrPseudoInstr())
      continue;
    Place &P = Places[&I];
    for (const MachineOperand &Operand : I.operands())
      P.Sources.push_back(Operand.isReg() && Operand.readsReg()
                              ? AtEnd.lookup(Operand.getReg())
                              : nullptr);
    for (const MachineOperand &Def : I.all_defs())
      AtEnd[Def.getReg()] = &I;
    bool HasEffect = hasEffect(I, Opcodes);
    if (HasEffect || (I.mayLoad() && !loadsConstantsOnly(I, Opcodes)))
      P.Effects = Effects;
    if (HasEffect)
      ++Effects;
    if (HasEffect || I.isTerminator())
      Fixed.push_back(&I);
  }
}

static Error fault(const MachineBasicBlock &Block, const Twine &What) {
  return createStringError("new order of block " + Twine(Block.getNumber()) +
                           ": " + What);
}

Error checkOrder(const BlockSnapshot &Original, const MachineBasicBlock &Block,
                 const NVPTXOpcodes &Opcodes) {
  BlockSnapshot Now(Block, Opcodes);
  if (Now.Places.size() != Original.Places.size())
    return fault(Block, Twine(Now.Places.size()) + " instructions instead of " +
                            Twine(Original.Places.size()));
  if (Now.Fixed != Original.Fixed)
    return fault(Block, "effects have changed places");
  unsigned Number = 0;
  for (const MachineInstr &I : Block) {
    if (I.isDebugOrPseudoInstr())
      continue;
    auto Before = Original.Places.find(&I);
    if (Before == Original.Places.end())
      return fault(Block, "instruction " + Twine(Number) + " is new");
    const auto &After = Now.Places.find(&I)->second;
    if (After.Sources != Before->second.Sources)
      return fault(Block,
                   "instruction " + Twine(Number) + " reads what others wrote");
    if (After.Effects != Before->second.Effects)
      return fault(Block, "instruction " + Twine(Number) +
                              " reads memory at another time");
    ++Number;
  }
  for (const auto &[Reg, Writer] : Original.AtEnd)
    if (Now.AtEnd.lookup(Reg) != Writer)
      return fault(Block, "a register holds something else at the end");
  return Error::success();
}

} // namespace regdem
