//===- ArrayMessages.h - what became of arrays ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays are found before machine code is there, the report is written after
// it: what it says of them stays on the kernel until then.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_ARRAYMESSAGES_H
#define REGDEM_EMISSION_ARRAYMESSAGES_H

#include "llvm/Support/JSON.h"
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

struct ArrayResult;

/// Whether somebody is to be told of Kernel's arrays.
bool asksForArrays(const llvm::Function &Kernel);

/// Warns where the checker has refused the rewrite, which had been asked for,
/// for this Difference; not if that is empty.
void warnOfDifference(const llvm::Function &Kernel,
                      const std::string &Difference);

/// Emits a remark for each array that stays in local memory. Returns the
/// report's field `arrays`. WasRewritten: Results are what was done, else what
/// could have been.
llvm::json::Array tellArrays(const llvm::Function &Kernel,
                             const std::vector<ArrayResult> &Results,
                             bool WasRewritten);

} // namespace regdem

#endif // REGDEM_EMISSION_ARRAYMESSAGES_H
