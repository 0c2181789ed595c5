//===- CheckerEncoding.h - a function as comparable words -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checker compares code that may no longer exist with code that does. Both
// are brought into the same form first: every instruction a run of 64-bit
// words that is equal exactly when the instructions are, every block its
// instructions and the blocks control may go to. Debug instructions are left
// out, and so is the unconditional jump at a block's end, which is kept as the
// block's Else.
//
// Kill and dead flags and debug locations carry no meaning here and are not
// encoded. Global values, metadata and symbols are compared by address, so both
// functions have to belong to the same module.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERENCODING_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERENCODING_H

#include "regdem/Transform/Checker/DemotionChecker.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/CodeGen/Register.h"
#include <string>
#include <vector>

namespace llvm {
class GlobalValue;
class MachineInstr;
class TargetInstrInfo;
} // namespace llvm

namespace regdem::checker {

/// Marks "no block" where the index of a block is expected.
constexpr unsigned NoBlock = ~0u;

struct EncodedInstr {
  unsigned FirstWord, EndWord;
  /// The instruction itself. Not to be followed in a snapshot, whose
  /// instructions may be gone.
  const llvm::MachineInstr *MI;
};

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
  std::vector<uint64_t> Words;
  std::vector<EncodedInstr> Instrs;
  std::vector<unsigned> Targets;
  std::vector<EncodedBlock> Blocks;
  /// Virtual registers, by index, that some instruction names.
  llvm::BitVector Registers;
  /// Instructions, by index, that name a global value.
  std::vector<std::pair<unsigned, const llvm::GlobalValue *>> Globals;

  /// The first instruction with an operand of a kind that has no encoding, or
  /// null. Not to be followed in a snapshot.
  const llvm::MachineInstr *Incomparable = nullptr;

  llvm::ArrayRef<uint64_t> words(unsigned Instr) const {
    const EncodedInstr &E = Instrs[Instr];
    return llvm::ArrayRef(Words).slice(E.FirstWord, E.EndWord - E.FirstWord);
  }

  unsigned opcode(unsigned Instr) const {
    return static_cast<unsigned>(Words[Instrs[Instr].FirstWord] >> 32);
  }

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

  /// Instruction \p Instr as text, made from its words alone: it may no longer
  /// exist. Symbols and metadata are not spelled out.
  std::string describe(unsigned Instr, const llvm::TargetInstrInfo &TII) const;
};

/// MF as it is now; what becomes of it later does not show.
EncodedFunction encodeFunction(const llvm::MachineFunction &MF);

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERENCODING_H
