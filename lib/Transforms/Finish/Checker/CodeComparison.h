//===- CodeComparison.h - a kernel's code before and after ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares all bits of a kernel's code; needs no disassembler.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_CODECOMPARISON_H
#define REGDEM_LIB_FINISH_CHECKER_CODECOMPARISON_H

#include "CubinComparison.h"
#include "Rewrites.h"
#include "SetUpForms.h"
#include <map>

namespace regdem::framecheck {

/// What differs in a kernel's code. Instructions are counted from 0.
struct CodeChanges {
  std::vector<uint64_t> Accesses; ///< Were in local memory, now in shared.
  unsigned WidestAccess = 0;      ///< Of these, in bytes.
  std::map<uint64_t, Rewrite> Rewrites; ///< Other instructions that changed.
  uint64_t SetUpAt = 0; ///< The first instruction of set-up code …
  std::vector<SetUpInstruction> SetUp; ///< … without the branch after it.
  Word SetUpEnd;                       ///< That branch.
};

/// An error unless K's code differs only as that of a finished kernel may: the
/// first instruction, which fetched the stack pointer, branches to set-up code
/// after all others, which branches back; each access of local memory is one
/// of shared memory; all else is as it was or, on sm_90, a Rewrite.
llvm::Expected<CodeChanges> compareCode(const ChangedKernel &K,
                                        unsigned Architecture);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_CODECOMPARISON_H
