//===- MovedFrames.h - finish the device code of a host module --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_HOST_MOVEDFRAMES_H
#define REGDEM_LIB_HOST_MOVEDFRAMES_H

#include "DeviceCode.h"
#include "LaunchSites.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

struct Options;

/// Moves the frames of Code, which M holds, as its records say, and emits a
/// remark for each. Kernels: of M. Whether M and Code have changed.
bool moveFrames(llvm::Module &M, DeviceCode &Code,
                llvm::ArrayRef<HostKernel> Kernels, const Options &O);

} // namespace regdem

#endif // REGDEM_LIB_HOST_MOVEDFRAMES_H
