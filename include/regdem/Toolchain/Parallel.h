//===- Parallel.h - several pieces of work at a time ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLCHAIN_PARALLEL_H
#define REGDEM_TOOLCHAIN_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>

namespace regdem {

/// Of Jobs (0: as many as there are cores) how many the calling thread may do
/// at a time: all, but within a call of forEachInParallel() the share that the
/// calls beside it leave it.
unsigned shareOf(unsigned Jobs);

/// Calls Work with each number from 0 to Count - 1, shareOf(Jobs) at a time;
/// returns when all calls have. Where that is one at a time, or there is one
/// number, all run on this thread, in ascending order.
void forEachInParallel(size_t Count, unsigned Jobs,
                       llvm::function_ref<void(size_t)> Work);

} // namespace regdem

#endif // REGDEM_TOOLCHAIN_PARALLEL_H
