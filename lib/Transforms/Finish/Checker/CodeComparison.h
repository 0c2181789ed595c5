//===- CodeComparison.h - a kernel's code before and after ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares all bits of a kernel's code; needs no disassembler. Theorem: code
// that is not among CodeChanges is bit for bit as it was.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_CODECOMPARISON_H
#define REGDEM_LIB_FINISH_CHECKER_CODECOMPARISON_H

#include "CubinComparison.h"
#include "Rewrites.h"
#include "SetUpForms.h"
#include <map>

namespace regdem::framecheck {

/// A frame of which a part was moved.
struct PartChanges {
  uint64_t LoweredAt = 0; ///< The instruction that lowers the stack pointer …
  int64_t Before = 0, After = 0; ///< … by adding these.
};

/// An access that was of local memory, and is of shared memory now unless it
/// stays.
struct AccessChange {
  std::optional<unsigned> Uniform; ///< By this uniform register, with R1 now.
  /// By this uniform register now, where a part of the frame was moved.
  std::optional<unsigned> Stays;
  int64_t Offset = 0; ///< Now, in bytes.
  int64_t Shift = 0;  ///< What was added to it where the whole frame was moved.
};

/// What differs in a kernel's code. Instructions are counted from 0.
struct CodeChanges {
  std::map<uint64_t, AccessChange> Accesses;
  unsigned WidestAccess = 0; ///< Of those in shared memory now, in bytes.
  /// Where a part of the frame was moved.
  std::optional<PartChanges> Part;
  std::map<uint64_t, Rewrite> Rewrites; ///< Other instructions that changed.
  uint64_t SetUpAt = 0; ///< The first instruction of set-up code …
  std::vector<SetUpInstruction> SetUp; ///< … without the branch after it.
  Word SetUpEnd;                       ///< That branch.
};

/// An error unless K's code differs only as that of a finished kernel may: the
/// first instruction, which fetched the stack pointer, branches to set-up code
/// after all others, which branches back; each access of local memory is one
/// of shared memory; all else is as it was or, on sm_90, a Rewrite. Where only
/// a part of the frame was moved, on sm_90, another number is added to the
/// stack pointer at one place, moved accesses may have other offsets, and those
/// that stay a uniform register for R1.
llvm::Expected<CodeChanges> compareCode(const ChangedKernel &K,
                                        unsigned Architecture);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_CODECOMPARISON_H
