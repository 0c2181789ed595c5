//===- Annotations.h - what the source says of a kernel ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the texts of annotate attributes, RegDem's and others, as clang keeps
// them in a module. What they mean is said in Options.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANNOTATIONS_H
#define REGDEM_ANNOTATIONS_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// The texts of F's annotate attributes in the order of the source. They live
/// as long as its module's constants.
std::vector<llvm::StringRef> annotationsOf(const llvm::Function &F);

} // namespace regdem

#endif // REGDEM_ANNOTATIONS_H
