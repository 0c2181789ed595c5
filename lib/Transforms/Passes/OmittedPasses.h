//===- OmittedPasses.h - what is left out for one kernel --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_PASSES_OMITTEDPASSES_H
#define REGDEM_LIB_PASSES_OMITTEDPASSES_H

#include "regdem/Decision/Builds/Omission.h"

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// What is to be left out for F, by what was settled and by the options.
Omission omissionFor(const llvm::Function &F);

} // namespace regdem

#endif // REGDEM_LIB_PASSES_OMITTEDPASSES_H
