//===- SharedRoom.h - room for shared memory that was added -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_HOST_SHAREDROOM_H
#define REGDEM_LIB_HOST_SHAREDROOM_H

#include "DeviceCode.h"
#include "LaunchSites.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

/// Has the calls by which M says whether it prefers L1 to shared memory leave
/// those of Kernels to which RegDem has given shared memory the blocks per SM
/// that they have without a preference (CacheConfig.c). Code is finished.
/// Whether M has changed.
bool keepSharedRoom(llvm::Module &M, const DeviceCode &Code,
                    llvm::ArrayRef<HostKernel> Kernels);

} // namespace regdem

#endif // REGDEM_LIB_HOST_SHAREDROOM_H
