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
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CHECKER_CHECKERALIGNMENT_H
#define REGDEM_LIB_TRANSFORM_CHECKER_CHECKERALIGNMENT_H

#include "CheckerInsertion.h"

namespace regdem::checker {

struct Alignment {
  /// For each instruction of the result, None if it is one of the original's
  /// or unreachable.
  std::vector<InsertionKind> Kinds;
  /// Blocks of the result, by layout index, that control can reach.
  llvm::BitVector Reached;
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
