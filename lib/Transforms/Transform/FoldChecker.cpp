//===- FoldChecker.cpp - prove that folded copies change nothing ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldChecker.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/Twine.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"

using namespace llvm;

namespace regdem {

FoldSnapshot::FoldSnapshot(const MachineFunction &MF,
                           const NVPTXOpcodes &Opcodes) {
  for (const MachineBasicBlock &Block : MF)
    read(Block, Opcodes);
}

FoldSnapshot::Source FoldSnapshot::valueOf(const BlockState &Block,
                                           Register Reg) {
  auto It = Block.AtEnd.find(Reg);
  return It == Block.AtEnd.end() ? Source{nullptr, 0, Reg.id()} : It->second;
}

void FoldSnapshot::read(const MachineBasicBlock &Block,
                        const NVPTXOpcodes &Opcodes) {
  BlockState &State = Blocks.emplace_back();
  unsigned Terminators = 0;
  auto Read = [&](Register Reg) {
    Source From = valueOf(State, Reg);
    if (!std::get<0>(From))
      ReadAtStart.insert(Register(std::get<2>(From)));
    return From;
  };
  for (const MachineInstr &I : Block) {
    if (I.isDebugOrPseudoInstr())
      continue;
    if (I.isCopy()) {
      State.AtEnd[I.getOperand(0).getReg()] = Read(I.getOperand(1).getReg());
      continue;
    }
    Place &P = State.Places[&I];
    P.Opcode = I.getOpcode();
    P.Operands.assign(I.operands_begin(), I.operands_end());
    P.Terminators = Terminators;
    for (const MachineOperand &Operand : I.operands())
      if (Operand.isReg() && Operand.readsReg())
        P.Sources.push_back(Read(Operand.getReg()));
    for (const MachineOperand &Def : I.all_defs())
      State.AtEnd[Def.getReg()] = {&I, Def.getOperandNo(), 0};
    if (!Opcodes.isArithmetic(I.getOpcode()))
      State.Fixed.push_back(&I);
    Terminators += I.isTerminator();
  }
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

bool FoldSnapshot::isSame(const Place &A, const Place &B) {
  return A.Opcode == B.Opcode && A.Terminators == B.Terminators &&
         A.Sources == B.Sources && areAlike(A.Operands, B.Operands);
}

const char *FoldSnapshot::difference(const BlockState &Before,
                                     const BlockState &Now) {
  if (Now.Places.size() != Before.Places.size())
    return "has another number of instructions";
  if (Now.Fixed != Before.Fixed)
    return "has effects that have changed places";
  for (const auto &[I, P] : Now.Places) {
    auto Old = Before.Places.find(I);
    if (Old == Before.Places.end() || !isSame(P, Old->second))
      return "has an instruction that does something else";
  }
  return nullptr;
}

Error checkFolds(const FoldSnapshot &Original, const MachineFunction &MF,
                 const NVPTXOpcodes &Opcodes) {
  FoldSnapshot Now(MF, Opcodes);
  auto Fault = [](size_t Block, const Twine &What) {
    return createStringError("folded copies: block " + Twine(Block) + " " +
                             What);
  };
  if (Now.Blocks.size() != Original.Blocks.size())
    return createStringError("folded copies: a block is lost");
  for (size_t B = 0; B != Now.Blocks.size(); ++B) {
    const FoldSnapshot::BlockState &After = Now.Blocks[B],
                                   &Before = Original.Blocks[B];
    if (const char *What = FoldSnapshot::difference(Before, After))
      return Fault(B, What);
    auto Leaves = [&](Register Reg) {
      return FoldSnapshot::valueOf(After, Reg) ==
                 FoldSnapshot::valueOf(Before, Reg) ||
             !Now.ReadAtStart.contains(Reg);
    };
    for (const auto *State : {&Before, &After})
      for (const auto &[Reg, From] : State->AtEnd)
        if (!Leaves(Reg))
          return Fault(B, "leaves something else in a register");
  }
  return Error::success();
}

} // namespace regdem
