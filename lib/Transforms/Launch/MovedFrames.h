//===- MovedFrames.h - finish the device code of a host module --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_LAUNCH_MOVEDFRAMES_H
#define REGDEM_LIB_LAUNCH_MOVEDFRAMES_H

#include "regdem/Launch/LaunchSites.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

struct Options;

/// Moves the frames of the device code that M holds as its record says, and
/// tells of each. Kernels: of M. Whether M has changed.
bool moveFrames(llvm::Module &M, llvm::ArrayRef<HostKernel> Kernels,
                const Options &O);

} // namespace regdem

#endif // REGDEM_LIB_LAUNCH_MOVEDFRAMES_H
