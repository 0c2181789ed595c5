//===- LaunchBuilds.h - builds beside a kernel ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that states no block size stays as stock clang makes it, and gets
// builds beside it for the block sizes that host code shows, or usual ones,
// each decided as if that size were stated. The host code chooses at launch
// (Host/Dispatch.h). As a program's results must not depend on that choice,
// only kernels take part of whose products ptxas fuses none, whatever the
// build, and no instance of a template that uses its file's variables.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_LAUNCHBUILDS_H
#define REGDEM_LIB_BUILDER_LAUNCHBUILDS_H

#include "Settling.h"

namespace regdem {

/// Says what each of Kernels may cost. Settles those that may have builds for
/// launches, adds these to M, and says in Record what each launch takes.
/// Returns those that are to be settled in another way.
std::vector<Candidate> addLaunchBuilds(std::vector<Candidate> Kernels,
                                       llvm::Module &M,
                                       const llvm::TargetMachine &TM, Tools &T,
                                       const Options &CommandLine,
                                       ProgramRecord &Record);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_LAUNCHBUILDS_H
