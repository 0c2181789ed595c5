//===- Parallel.cpp - several pieces of work at a time --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Parallel.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/TimeProfiler.h"
#include <algorithm>
#include <atomic>

using namespace llvm;

namespace regdem {

namespace {
/// The calls that share cores with one on this thread.
struct Shared {
  const std::atomic<size_t> &Unfinished;
  unsigned Threads; ///< For all of them.
};
} // namespace

/// Null outside of calls.
static thread_local const Shared *Beside = nullptr;

unsigned shareOf(unsigned Jobs) {
  unsigned All = hardware_concurrency(Jobs).compute_thread_count();
  if (!Beside)
    return All;
  size_t Running = std::min<size_t>(Beside->Unfinished, Beside->Threads);
  return static_cast<unsigned>(
      divideCeil(std::min(All, Beside->Threads), Running));
}

void forEachInParallel(size_t Count, unsigned Jobs,
                       function_ref<void(size_t)> Work) {
  unsigned Threads = shareOf(Jobs);
  if (Count <= 1 || Threads == 1) {
    for (size_t I = 0; I != Count; ++I)
      Work(I);
    return;
  }
  std::atomic<size_t> Unfinished = Count;
  Shared Calls{Unfinished, Threads};
  bool IsTraced = timeTraceProfilerEnabled();
  DefaultThreadPool Pool(hardware_concurrency(Threads));
  for (size_t I = 0; I != Count; ++I)
    Pool.async([&, I] {
      Beside = &Calls;
      if (IsTraced)
        timeTraceProfilerInitialize(TraceMicroseconds, "RegDem");
      Work(I);
      if (IsTraced)
        timeTraceProfilerFinishThread();
      Beside = nullptr;
      --Unfinished;
    });
  Pool.wait();
}

} // namespace regdem
