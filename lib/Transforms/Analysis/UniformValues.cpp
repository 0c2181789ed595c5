//===- UniformValues.cpp - values that need no vector register ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UniformValues.h"

#include "regdem/Analysis/RegisterPressure.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include <vector>

using namespace llvm;

namespace regdem {

/// Words of uniform values from which on they matter. Fewer are the pointers
/// and counters that every kernel has (up to 10 in 52 kernels of benchmarks/,
/// 51 in the other one), which ptxas as often leaves in vector registers, and
/// the targets that are tried cover them.
static constexpr unsigned FewestWords = 16;
/// Of the 63 registers some hold what ptxas keeps there by itself: descriptors
/// and addresses.
static constexpr unsigned MostWords = 56;

/// Whether what MI computes is the same for a warp if its operands are.
static bool dependsOnOperandsOnly(const MachineInstr &MI,
                                  const NVPTXOpcodes &Ops) {
  unsigned Code = MI.getOpcode();
  if (MI.isCopy() || Ops.isArithmetic(Code) || Ops.readsBlockConstant(Code))
    return true;
  switch (Ops.classify(Code)) {
  case Op::LD_i16:
  case Op::LD_i32:
  case Op::LD_i64:
    return MI.getOperand(LoadOperand::Space).getImm() == AddressSpace::Param;
  case Op::cvta_to_global_64:
    return true;
  default:
    return false;
  }
}

BitVector findUniformValues(const MachineFunction &MF,
                            const NVPTXOpcodes &Opcodes) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  // All are, until something is found that they depend on: a loop's counter
  // depends on itself.
  BitVector Uniform(MRI.getNumVirtRegs(), true);
  std::vector<Register> Left;
  auto RuleOut = [&](const MachineInstr &MI) {
    for (const MachineOperand &MO : MI.all_defs()) {
      Register Reg = MO.getReg();
      if (!Reg.isVirtual() || !Uniform.test(Reg.virtRegIndex()))
        continue;
      Uniform.reset(Reg.virtRegIndex());
      Left.push_back(Reg);
    }
  };
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (!MI.isDebugInstr() && !dependsOnOperandsOnly(MI, Opcodes))
        RuleOut(MI);
  while (!Left.empty()) {
    Register Reg = Left.back();
    Left.pop_back();
    for (const MachineInstr &MI : MRI.use_nodbg_instructions(Reg))
      RuleOut(MI);
  }
  return Uniform;
}

void moveToUniformRegisters(KernelGraph &Graph, const BitVector &Uniform) {
  auto Moves = [&Uniform](const ValueInfo &V) {
    return Uniform.test(V.Register) && V.Place == Home::ThreadSlot &&
           (V.Kind == ValueKind::Demotable || V.Kind == ValueKind::Product);
  };
  KernelGraph Without = Graph;
  for (ValueInfo &V : Without.Values)
    if (Moves(V))
      V.Kind = ValueKind::Free;
  unsigned Words = maxPressure(Graph).Words - maxPressure(Without).Words;
  if (Words < FewestWords || Words > MostWords)
    return;
  for (ValueInfo &V : Graph.Values)
    if (Moves(V))
      V.Place = Home::UniformRegister;
}

} // namespace regdem
