//===- RewritePasses.h - what is rewritten of one kernel --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_PASSES_REWRITEPASSES_H
#define REGDEM_LIB_PASSES_REWRITEPASSES_H

#include "regdem/Decision/Builds/Rewrite.h"

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// The rewrites of F, by what was settled and by the options.
Rewrite rewritesFor(const llvm::Function &F);

/// Whether these may change which products of F are fused with sums.
bool mayFuseOtherwise(const llvm::Function &F);

} // namespace regdem

#endif // REGDEM_LIB_PASSES_REWRITEPASSES_H
