//===- LinkedCode.h - code that becomes part of programs --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_HOST_LINKEDCODE_H
#define REGDEM_LIB_HOST_LINKEDCODE_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace regdem {

/// Links Parts, bitcode of this folder's C files, into M. What they define and
/// M itself has for them becomes internal there.
void linkCode(llvm::Module &M,
              llvm::ArrayRef<llvm::ArrayRef<unsigned char>> Parts);

} // namespace regdem

#endif // REGDEM_LIB_HOST_LINKEDCODE_H
