//===- ParameterCopies.h - parameters read where they are -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A struct that is passed by value is in the constant bank, where it can be
// indexed. A copy that is only read needs no local memory.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_PARAMETERCOPIES_H
#define REGDEM_TRANSFORM_PARAMETERCOPIES_H

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

struct LocalArray;

/// Whether the code generator makes copies of parameters of F in local memory:
/// the kernel writes to them, and indexes them at run time.
bool hasParameterCopies(const llvm::Function &F);

/// Has these copies made in IR.
void exposeParameterCopies(llvm::Function &F);

/// Whether Array is a copy of a parameter that nothing writes to, and is read
/// within what is copied only.
bool canReadParameter(const LocalArray &Array);

/// Has Array's readers read the parameter; deletes the copy.
void readParameter(const LocalArray &Array);

} // namespace regdem

#endif // REGDEM_TRANSFORM_PARAMETERCOPIES_H
