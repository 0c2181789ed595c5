//===- SettleModule.h - how each kernel of a module is built ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_BUILDER_SETTLEMODULE_H
#define REGDEM_BUILDER_SETTLEMODULE_H

#include "regdem/Analysis/ShownLaunches.h"
#include <optional>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace regdem {

/// Settles how each kernel of M is built, by -regdem-build, its profile's entry
/// or by compiling candidates in memory and having them assembled, and writes
/// that on the kernel. Where there is no ptxas, one warning says so,
/// and kernels are stock's but for caps that are stated. At -O0, where the
/// machine pass has no place, says of each kernel that it is left alone.
/// Nothing is done for targets other than NVPTX. Returns M's PTX where it is
/// known by then: M has one kernel, which stays as it is, and nobody is to be
/// told more of it. Shown: what is known of M's host code.
std::optional<std::string> settleModule(llvm::Module &M,
                                        llvm::TargetMachine &TM,
                                        const LaunchesOfFile &Shown = {});

} // namespace regdem

#endif // REGDEM_BUILDER_SETTLEMODULE_H
