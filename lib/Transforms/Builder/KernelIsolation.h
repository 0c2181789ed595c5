//===- KernelIsolation.h - a module of one kernel ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_KERNELISOLATION_H
#define REGDEM_LIB_BUILDER_KERNELISOLATION_H

#include <memory>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace regdem {

/// A copy of M with no more in it than Kernel needs. What is left has its uses
/// in the order that they have in M.
std::unique_ptr<llvm::Module> isolateKernel(const llvm::Function &Kernel,
                                            const llvm::Module &M);

/// Removes functions of M that Kernel does not lead to, though they may call
/// themselves, and that nothing else but code refers to.
void removeUnused(llvm::Module &M, const llvm::Function &Kernel);

/// A copy of F, behind it and with its uses in the order of F's, so that code
/// generation makes the same of both.
llvm::Function *copyBehind(llvm::Function &F);

/// Whether M refers to variables that only a linker can find.
bool needsLinker(const llvm::Module &M);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_KERNELISOLATION_H
