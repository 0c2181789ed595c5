//===- Parallel.cpp - several pieces of work at a time --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Parallel.h"

#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace regdem {

void forEachInParallel(size_t Count, unsigned Jobs,
                       function_ref<void(size_t)> Work) {
  ThreadPoolStrategy Strategy = hardware_concurrency(Jobs);
  if (Count <= 1 || Strategy.compute_thread_count() == 1) {
    for (size_t I = 0; I != Count; ++I)
      Work(I);
    return;
  }
  DefaultThreadPool Pool(Strategy); // Waits for all calls at its end.
  for (size_t I = 0; I != Count; ++I)
    Pool.async([Work, I] { Work(I); });
}

} // namespace regdem
