//===- Variants.h - try candidates before code generation -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_VARIANTS_H
#define REGDEM_VARIANTS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace regdem {

/// For each kernel of M that a cap is stated for, compiles candidates in
/// memory, has them assembled, and writes what that settles on the kernel.
/// Does nothing where no assembler is to be used or the target is another.
void tryVariants(llvm::Module &M, llvm::TargetMachine &TM);

} // namespace regdem

#endif // REGDEM_VARIANTS_H
