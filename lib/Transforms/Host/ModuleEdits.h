//===- ModuleEdits.h - what becomes of a host module ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_HOST_MODULEEDITS_H
#define REGDEM_LIB_HOST_MODULEEDITS_H

#include "DeviceCode.h"
#include "LaunchSites.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

struct Options;

/// Links Parts, bitcode of this folder's C files, into M. What they define and
/// M itself has for them becomes internal there.
void linkCode(llvm::Module &M,
              llvm::ArrayRef<llvm::ArrayRef<unsigned char>> Parts);

/// Moves the frames of Code, which M holds, as its records say, and emits a
/// remark for each. Kernels: of M. Whether M and Code have changed.
bool moveFrames(llvm::Module &M, DeviceCode &Code,
                llvm::ArrayRef<HostKernel> Kernels, const Options &O);

/// Has the calls by which M says whether it prefers L1 to shared memory leave
/// those of Kernels to which RegDem has given shared memory the blocks per SM
/// that they have without a preference (CacheConfig.c). Code is finished.
/// Whether M has changed.
bool keepSharedRoom(llvm::Module &M, const DeviceCode &Code,
                    llvm::ArrayRef<HostKernel> Kernels);

} // namespace regdem

#endif // REGDEM_LIB_HOST_MODULEEDITS_H
