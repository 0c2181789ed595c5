//===- CheckerAlignment.h - match the result with the original --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves that the result is the original plus instructions that demotion may
// insert: the blocks are the same, in the same order, with the same successors
// and terminators, and each has every instruction of the original, unchanged
// and in order:
//
//   original          result            kind
//   %1 = ADD %0, 3    %1 = ADD %0, 3    None
//                     ST %1, %50, 8     Store
//   BRA %2, bb.1      BRA %2, bb.1      None
//
// Whether an instruction can be one that demotion inserts is told by it alone,
// without its surroundings. Whether it is right where it stands is decided by
// the later steps.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERALIGNMENT_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERALIGNMENT_H

#include "CheckerEncoding.h"
#include "regdem/Target/NVPTXOpcodes.h"

namespace regdem::checker {

enum class InsertionKind : uint8_t {
  /// Nothing that demotion may insert.
  None,
  /// Part of the computation of a base address: defines a new register.
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

/// Classifies \p MI given the registers that the original code names.
InsertionKind classifyInsertion(const llvm::MachineInstr &MI,
                                const NVPTXOpcodes &Opcodes,
                                const EncodedFunction &Original);

/// Bytes that an access moves: by its opcode, 0 for other instructions.
unsigned accessBytes(Op O);

struct Alignment {
  /// For each instruction of the result, None if it is one of the original's.
  std::vector<InsertionKind> Kinds;
  /// Instructions of the entry block before this one precede every one of the
  /// original's.
  unsigned PrologueEnd = 0;
};

/// What the steps after the alignment work on.
struct AlignedCode {
  const EncodedFunction &Original, &Result;
  const Alignment &Aligned;
  const llvm::MachineFunction &MF; ///< The result.
  const NVPTXOpcodes &Opcodes;
};

/// Matches Result, the code of MF, with Original; an error names the first
/// block or instruction of which it cannot be told that demotion may have made
/// it.
llvm::Expected<Alignment> alignFunctions(const EncodedFunction &Original,
                                         const EncodedFunction &Result,
                                         const llvm::MachineFunction &MF,
                                         const NVPTXOpcodes &Opcodes);

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERALIGNMENT_H
