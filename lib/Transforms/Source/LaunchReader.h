//===- LaunchReader.h - launches in the source of host code -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_SOURCE_LAUNCHREADER_H
#define REGDEM_LIB_SOURCE_LAUNCHREADER_H

#include "regdem/Analysis/ShownLaunches.h"

namespace regdem {

/// What the CUDA file shows that this process has compiled last for a device;
/// empty where the compiler is not clang.
const LaunchesOfFile &launchesOfSource();

} // namespace regdem

#endif // REGDEM_LIB_SOURCE_LAUNCHREADER_H
