//===- LaunchSites.h - kernels and launches in a host module ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_HOST_LAUNCHSITES_H
#define REGDEM_LIB_HOST_LAUNCHSITES_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class CallBase;
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace regdem {

/// The variable with the fat binary of M, a ConstantDataArray; null where it
/// has none, or in a file.
llvm::GlobalVariable *findFatBinary(const llvm::Module &M);

/// A kernel of a host module.
struct HostKernel {
  std::string Name;     ///< As the linker sees it.
  llvm::Function *Stub; ///< By which the runtime knows it.
  /// Of __cudaRegisterFunction; null where the linker is to call that.
  llvm::CallBase *Registration;
  std::vector<llvm::CallBase *> Launches;
  /// The stub is used in no other way that Launches might depend on: they may
  /// launch other builds.
  bool MayLaunchBuilds = true;
};

/// The variables with M's device code that is to be linked (-fgpu-rdc), each a
/// ConstantDataArray.
std::vector<const llvm::GlobalVariable *> findLinkedCode(const llvm::Module &M);

/// M's kernels in the order in which they are registered.
std::vector<HostKernel> findKernels(llvm::Module &M);

/// The threads of a block that Launch has in every run; none where that is not
/// known. The configuration of a `<<<>>>` is looked for where it was pushed.
std::optional<uint64_t> constantBlockSize(const llvm::CallBase &Launch);

/// The bytes of dynamic shared memory that Launch has in every run, likewise.
std::optional<uint64_t> constantDynamicShared(const llvm::CallBase &Launch);

} // namespace regdem

#endif // REGDEM_LIB_HOST_LAUNCHSITES_H
