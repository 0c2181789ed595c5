//===- Target.h - the GPU that code is generated for ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From what the kernels state, or the user, to a target machine that is set up
// as clang and llc set it up for PTX.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_TARGET_H
#define REGDEM_TOOLS_TARGET_H

#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace regdem {

struct Request;

/// Makes the NVPTX target known to LLVM; must come before all else here.
void initializeTarget();

/// Why no code can be generated for CPU ("sm_90") with Features
/// ("+ptx88,+sm_90"); none where it can.
std::optional<std::string> findTargetProblem(llvm::StringRef CPU,
                                             llvm::StringRef Features);

/// The target machine for M: for R.CPU, which is then written on all its
/// functions, or else for what its kernels state. Reports an error and returns
/// null where M is for another target or its kernels disagree.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(llvm::Module &M,
                                                         const Request &R);

} // namespace regdem

#endif // REGDEM_TOOLS_TARGET_H
