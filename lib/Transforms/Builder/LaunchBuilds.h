//===- LaunchBuilds.h - builds beside a kernel ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that states no block size stays as stock clang makes it, and gets
// builds beside it for usual block sizes, each decided as if that size were
// stated. The host code chooses at launch (Host/Dispatch.h). As a program's
// results must not depend on that choice, only kernels take part of whose
// products ptxas fuses none, whatever the build, and no instance of a template
// that uses its file's variables.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_LAUNCHBUILDS_H
#define REGDEM_LIB_BUILDER_LAUNCHBUILDS_H

#include "Settling.h"

namespace regdem {

/// Whether C's kernel may have builds for launches: nobody states its block
/// size, or no more than a bound for which its arrays are large, or a cap, all
/// that it calls is known and its own, it has no annotations, and does not ask
/// how much shared memory a launch has.
bool mayHaveLaunchBuilds(const Candidate &C);

/// Settles Kernels, of which mayHaveLaunchBuilds() holds, adds their builds to
/// M, and says in Record what each launch takes. Returns those of Kernels that
/// are to be settled in another way, because results might depend on the build.
std::vector<Candidate> addLaunchBuilds(std::vector<Candidate> Kernels,
                                       llvm::Module &M,
                                       const llvm::TargetMachine &TM, Tools &T,
                                       const Options &CommandLine,
                                       ProgramRecord &Record);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_LAUNCHBUILDS_H
