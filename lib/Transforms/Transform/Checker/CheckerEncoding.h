//===- CheckerEncoding.h - a function as it is compared ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checker compares code as it was with code as it is. Both are brought into
// the same form first: the instructions of each block but debug instructions,
// and the blocks to which control may go. A snapshot holds copies of the
// instructions, for the function may have changed them since.
//
// Kill and dead flags and debug locations carry no meaning here and are not
// compared. Global values, metadata and symbols are compared by address, so
// both functions have to belong to the same module; blocks are by number.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERENCODING_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERENCODING_H

#include "regdem/Transform/Checker/DemotionChecker.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/CodeGen/Register.h"
#include <vector>

namespace llvm {
class MachineInstr;
} // namespace llvm

namespace regdem::checker {

struct EncodedBlock {
  unsigned Number = 0; ///< Of the machine function's block.
  /// Instrs[FirstInstr, FirstTerminator) is the body, Instrs[FirstTerminator,
  /// EndInstr) whatever follows from the first terminator on.
  unsigned FirstInstr = 0, FirstTerminator = 0, EndInstr = 0;
  /// By their place in the order of blocks, as everywhere but in messages.
  std::vector<unsigned> Successors;
};

struct EncodedFunction {
  std::vector<const llvm::MachineInstr *> Instrs;
  std::vector<EncodedBlock> Blocks;
  /// Virtual registers, by index, that some instruction names.
  llvm::BitVector Registers;

  /// The first instruction with an operand of a kind that is not compared, or
  /// null. Not to be followed in a snapshot.
  const llvm::MachineInstr *Incomparable = nullptr;

  /// Whether \p Reg is virtual and occurs at all.
  bool hasRegister(llvm::Register Reg) const {
    return Reg.isVirtual() && Reg.virtRegIndex() < Registers.size() &&
           Registers.test(Reg.virtRegIndex());
  }
};

/// MF as it is now. Instrs are not copied.
EncodedFunction encodeFunction(const llvm::MachineFunction &MF);

/// Whether the instructions are equal.
bool areSame(const llvm::MachineInstr &A, const llvm::MachineInstr &B);

/// Makes the same instructions one key.
struct SameInstr : llvm::DenseMapInfo<const llvm::MachineInstr *> {
  static unsigned getHashValue(const llvm::MachineInstr *MI);
  static bool isEqual(const llvm::MachineInstr *A, const llvm::MachineInstr *B);
};

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERENCODING_H
