//===- LaunchRemarks.h - what users are told of host code -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_LAUNCHREMARKS_H
#define REGDEM_EMISSION_LAUNCHREMARKS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace regdem {

/// Emits the remark of Launch, which launches Kernel: `passed` where it chooses
/// among NumBuilds builds, `missed` where that is 0, as its blocks always have
/// Threads threads and no build is for these.
void emitLaunchSite(const llvm::CallBase &Launch, llvm::StringRef Kernel,
                    std::optional<uint64_t> Threads, unsigned NumBuilds);

/// Emits the `missed` remark that Kernel, which Constructor registers, is used
/// for more than launches, so that it is launched itself.
void emitStubEscapes(const llvm::Function &Constructor, llvm::StringRef Kernel);

/// Emits the `missed` remark that no launch chooses, and Why.
void emitNoDispatch(const llvm::Function &Constructor, llvm::StringRef Why);

} // namespace regdem

#endif // REGDEM_EMISSION_LAUNCHREMARKS_H
