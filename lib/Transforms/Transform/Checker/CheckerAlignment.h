//===- CheckerAlignment.h - match the result with the original --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves that the result is the original plus instructions that demotion may
// insert: walking both control-flow graphs from the entry, each block of the
// original is found again with every instruction unchanged and in order, and
// every edge leads to the same block, directly or through blocks that only
// insertions stand in. Block numbers and layout are not looked at, so
// renumbering is no difference. What is unreachable is not compared.
//
// Whether an instruction can be one that demotion inserts is told by it alone,
// without its surroundings. Whether it is right where it stands is decided by
// the later steps.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERALIGNMENT_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERALIGNMENT_H

#include "CheckerAddress.h"

namespace regdem::checker {

enum class InsertionKind : uint8_t {
  /// Nothing that demotion may insert.
  None,
  /// A step of the computation of the base address.
  Address,
  /// Load from, or store to, an address in a new register.
  Load,
  Store,
  /// I64toV2I32, I128toV2I64: a register into two new ones.
  Split,
  /// V2I32toI64, V2I64toI128 of two new registers.
  Join,
  /// A side-effect-free instruction that names registers of the original only;
  /// an insertion if the original has the very same.
  Recompute,
};

/// Whether \p MI, with opcode \p O, is a plain load from a place in shared
/// memory that is named in the instruction.
bool isSharedLoad(const llvm::MachineInstr &MI, Op O);

/// Whether shared memory is surely the same before and after \p MI, and no
/// other thread can tell that it has come so far.
bool leavesShared(const llvm::MachineInstr &MI, const NVPTXOpcodes &Opcodes);

/// Bytes that an access moves: by its opcode, 0 for other instructions.
unsigned accessBytes(Op O);

struct Alignment {
  /// For each instruction of the result, None if it is one of the original's
  /// or unreachable.
  std::vector<InsertionKind> Kinds;
  /// Blocks of the result, by layout index, that control can reach.
  llvm::BitVector Reached;
};

/// What the steps after the alignment work on.
struct AlignedCode {
  const EncodedFunction &Original, &Result;
  const Alignment &Aligned;
  const llvm::MachineFunction &MF; ///< The result.
  const NVPTXOpcodes &Opcodes;
};

/// Matches Result, the code of MF, whose first NumSteps instructions compute
/// the base address, with Original; an error names the first block or
/// instruction of which it cannot be told that demotion may have made it.
llvm::Expected<Alignment> alignFunctions(const EncodedFunction &Original,
                                         const EncodedFunction &Result,
                                         unsigned NumSteps,
                                         const llvm::MachineFunction &MF,
                                         const NVPTXOpcodes &Opcodes);

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERALIGNMENT_H
