//===- SkippedPasses.h - what is left out for one kernel --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_PASSES_SKIPPEDPASSES_H
#define REGDEM_LIB_PASSES_SKIPPEDPASSES_H

#include "regdem/Decision/Builds/Rewrite.h"

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// What is to be left out for F, by what was settled and by the options.
Rewrite rewritesFor(const llvm::Function &F);

/// Whether these may change which products of F are fused with sums.
bool mayFuseOtherwise(const llvm::Function &F);

} // namespace regdem

#endif // REGDEM_LIB_PASSES_SKIPPEDPASSES_H
