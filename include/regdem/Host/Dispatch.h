//===- Dispatch.h - launches that choose a build ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host side of builds that are chosen at launch. clang compiles the device
// code first, so that the host module holds the fat binary, with the builds and
// the tables that device code generation has made. This pass registers the
// builds with the CUDA runtime, and has launches of their kernels call a
// function that looks the launch up and launches the kernel or a build:
//
//   call i32 @cudaLaunchKernel(ptr @stub, …)
//   call i32 @__regdem_launch(ptr @record, …)
//
// That function and its data are internal to the module: programs need no
// library. A kernel whose stub is used for anything but launches is left alone.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_HOST_DISPATCH_H
#define REGDEM_HOST_DISPATCH_H

#include "llvm/IR/PassManager.h"

namespace regdem {

/// Name: "regdem-dispatch". Does nothing to modules that are not host code of
/// CUDA programs for x86-64 Linux, and under -regdem-launch=off.
class DispatchPass : public llvm::PassInfoMixin<DispatchPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; } // Also where optnone is.
};

} // namespace regdem

#endif // REGDEM_HOST_DISPATCH_H
