//===- CheckerInsertion.h - what demotion may insert ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells by an instruction alone, without its surroundings, whether it can be
// one that demotion inserts. Whether it is right where it stands is decided by
// the later steps.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERINSERTION_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERINSERTION_H

#include "CheckerEncoding.h"
#include "regdem/Target/NVPTXOpcodes.h"

#include "llvm/CodeGen/Register.h"

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

/// Whether \p MI, with opcode \p O, is a plain load from a place in shared
/// memory that is named in the instruction.
bool isSharedLoad(const llvm::MachineInstr &MI, Op O);

/// Whether shared memory is surely the same before and after \p MI, and no
/// other thread can tell that it has come so far.
bool leavesShared(const llvm::MachineInstr &MI, const NVPTXOpcodes &Opcodes);

/// Bytes that an access moves: by its opcode, 0 for other instructions.
unsigned accessBytes(Op O);

/// Bytes that a register of that kind holds; 0 for predicates and others.
unsigned bytesOf(RegKind Kind);

} // namespace regdem::checker

#endif // REGDEM_LIB_TRANSFORM_CHECKER_CHECKERINSERTION_H
