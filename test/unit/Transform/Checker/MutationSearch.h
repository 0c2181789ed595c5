//===- MutationSearch.h - find the place for a mutation ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_MUTATIONSEARCH_H
#define REGDEM_TEST_UNIT_MUTATIONSEARCH_H

#include "Mutations.h"
#include "llvm/ADT/STLExtras.h"

namespace regdem::test {

/// A mistake that Change(S, MI) makes of each instruction that Wanted(S, MI)
/// holds for.
template <typename Predicate, typename Action>
Mutation editing(const char *Name, Predicate Wanted, Action Change) {
  return {Name, nullptr,
          [=](const Subject &S, llvm::MachineFunction &MF, unsigned Site) {
            for (llvm::MachineBasicBlock &MBB : MF)
              for (llvm::MachineInstr &MI : MBB)
                if (Wanted(S, MI) && Site-- == 0) {
                  Change(S, MI);
                  return true;
                }
            return false;
          }};
}

namespace L = LoadOperand;
namespace St = StoreOperand;

inline bool isIn(Op O, std::initializer_list<Op> List) {
  return llvm::is_contained(List, O);
}

/// Whether MI reads or writes a slot.
inline bool isSlotLoad(const Subject &S, const llvm::MachineInstr &MI) {
  return isIn(S.Opcodes.classify(MI.getOpcode()),
              {Op::LD_i16, Op::LD_i32, Op::LD_i64}) &&
         MI.getOperand(L::Base).isReg() &&
         !S.isOriginal(MI.getOperand(L::Base).getReg());
}

inline bool isSlotStore(const Subject &S, const llvm::MachineInstr &MI) {
  return isIn(S.Opcodes.classify(MI.getOpcode()),
              {Op::ST_i16, Op::ST_i32, Op::ST_i64}) &&
         MI.getOperand(St::Base).isReg() &&
         !S.isOriginal(MI.getOperand(St::Base).getReg());
}

inline bool isSlotAccess(const Subject &S, const llvm::MachineInstr &MI) {
  return isSlotLoad(S, MI) || isSlotStore(S, MI);
}

inline llvm::MachineOperand &offsetOf(const Subject &S,
                                      llvm::MachineInstr &MI) {
  return MI.getOperand(isSlotLoad(S, MI) ? L::Offset : St::Offset);
}

inline bool isOp(const Subject &S, const llvm::MachineInstr &MI, Op O) {
  return S.Opcodes.classify(MI.getOpcode()) == O;
}

inline void leaveOut(const Subject &, llvm::MachineInstr &MI) {
  MI.eraseFromParent();
}

/// Whether the last operand of MI is a number.
inline bool hasLastNumber(const llvm::MachineInstr &MI) {
  return MI.getOperand(MI.getNumOperands() - 1).isImm();
}

inline void changeLastNumber(const Subject &, llvm::MachineInstr &MI) {
  llvm::MachineOperand &MO = MI.getOperand(MI.getNumOperands() - 1);
  MO.setImm(MO.getImm() + 4);
}

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_MUTATIONSEARCH_H
