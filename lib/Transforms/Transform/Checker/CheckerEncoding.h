//===- CheckerEncoding.h - a function as it is compared ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checker compares code as it was with code as it is. Both are brought into
// the same form first: every block its instructions and the blocks control may
// go to. Debug instructions are left out, and so is the unconditional jump at a
// block's end, which is kept as the block's Else. A snapshot holds copies of
// the instructions, for the function may have changed them since.
//
// Kill and dead flags and debug locations carry no meaning here and are not
// compared. Global values, metadata and symbols are compared by address, so
// both functions have to belong to the same module.
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

/// Marks "no block" where the index of a block is expected.
constexpr unsigned NoBlock = ~0u;

struct EncodedBlock {
  /// The block's number, for messages; blocks are referred to by their index
  /// in layout order everywhere else.
  unsigned Number = 0;
  /// Instrs[FirstInstr, FirstTerminator) is the body, Instrs[FirstTerminator,
  /// EndInstr) whatever follows from the first terminator on.
  unsigned FirstInstr = 0, FirstTerminator = 0, EndInstr = 0;
  /// Targets[FirstTarget, EndTarget): the block operands of the terminators,
  /// in order.
  unsigned FirstTarget = 0, EndTarget = 0;
  /// Where control goes if no terminator takes it elsewhere; NoBlock if the
  /// block ends in a return or an indexed jump.
  unsigned Else = NoBlock;
  /// Whether the block's successor list names just the blocks above.
  bool SuccessorsAgree = true;
};

struct EncodedFunction {
  std::vector<const llvm::MachineInstr *> Instrs;
  std::vector<unsigned> Targets;
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

  /// Calls \p Visit with each block to which control may go from \p Block.
  template <typename Visitor>
  void forEachSuccessor(unsigned Block, Visitor Visit) const {
    const EncodedBlock &B = Blocks[Block];
    for (unsigned T = B.FirstTarget; T != B.EndTarget; ++T)
      Visit(Targets[T]);
    if (B.Else != NoBlock)
      Visit(B.Else);
  }
};

/// MF as it is now. Instrs are not copied.
EncodedFunction encodeFunction(const llvm::MachineFunction &MF);

/// Whether the instructions are equal but for the blocks they name: which those
/// are depends on how the graph was changed; the alignment compares Targets.
bool areSame(const llvm::MachineInstr &A, const llvm::MachineInstr &B);

/// Makes the same instructions one key.
struct SameInstr : llvm::DenseMapInfo<const llvm::MachineInstr *> {
  static unsigned getHashValue(const llvm::MachineInstr *MI);
  static bool isEqual(const llvm::MachineInstr *A, const llvm::MachineInstr *B);
};

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERENCODING_H
