//===- ArrayChecker.h - whether rewritten arrays do the same ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a function as it was and as it is, one thread with random arguments and
// random memory, and compares all that others can see: stores to memory that is
// not the thread's own, and calls. Shares no code with what rewrites arrays;
// arithmetic is LLVM's constant folding. A check, no proof.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_ARRAYCHECKER_H
#define REGDEM_TRANSFORM_ARRAYCHECKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class AllocaInst;
class Function;
class GlobalVariable;
} // namespace llvm

namespace regdem {

/// An error where After does something else than Before, which has the same
/// module and signature, or where an access of Before to one of the Removed
/// variables is outside of it, or if a run needs what cannot be run. Shared are
/// variables of After of which each thread has a part: of each element one, by
/// its index in the block.
llvm::Error checkArrays(llvm::Function &Before, llvm::Function &After,
                        llvm::ArrayRef<llvm::AllocaInst *> Removed,
                        llvm::ArrayRef<llvm::GlobalVariable *> Shared = {});

} // namespace regdem

#endif // REGDEM_TRANSFORM_ARRAYCHECKER_H
