//===- CubinComparison.h - what may differ outside of code ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the kernels whose code or shared memory differs and refuses every other
// difference between two cubins that a loader could see. Theorem: kernels that
// are not named run as before. What is in the code is for others to judge.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_CUBINCOMPARISON_H
#define REGDEM_LIB_FINISH_CHECKER_CUBINCOMPARISON_H

#include "regdem/MachineCode/Cubin.h"

namespace regdem::framecheck {

struct ChangedKernel {
  llvm::StringRef Name;          ///< Mangled.
  llvm::StringRef Before, After; ///< Its section of code.
  /// Size of its section of shared memory; 0 where there is none.
  uint64_t SharedBefore = 0, SharedAfter = 0;
  bool LosesFrame = false; ///< Its frame in local memory has become empty.
};

llvm::Expected<std::vector<ChangedKernel>> compareCubins(const Cubin &Original,
                                                         const Cubin &Finished);

/// What a cubin says of one kernel.
struct KernelClaims {
  /// Most threads of a block; 0: unknown.
  uint64_t Threads = 0;
  /// The block's exact size, all 0 if that is not required.
  uint32_t RequiredThreads[3] = {0, 0, 0};
  uint32_t Registers = 0; ///< Per thread; 0: unknown.
};

llvm::Expected<KernelClaims> readClaims(const Cubin &C, llvm::StringRef Kernel);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_CUBINCOMPARISON_H
