//===- Parallel.h - several pieces of work at a time ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLCHAIN_PARALLEL_H
#define REGDEM_TOOLCHAIN_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace regdem {

/// Shorter spans of time are left out of traces, as clang does.
inline constexpr unsigned TraceMicroseconds = 500;

/// Of Jobs (0: as many as there are cores) how many the calling thread may do
/// at a time: all, but within a call of forEachInParallel() the share that the
/// calls beside it leave it.
unsigned shareOf(unsigned Jobs);

/// Calls Work with each number from 0 to Count - 1, shareOf(Jobs) at a time, or
/// as many as a jobserver of GNU make or Ninja has slots for; returns when all
/// calls have. Where that is one at a time, or there is one
/// number, all run on this thread, in ascending order.
void forEachInParallel(size_t Count, unsigned Jobs,
                       llvm::function_ref<void(size_t)> Work);

/// Values by their keys, each made by the first thread that asks for it.
template <typename Key, typename Value> class MadeOnce {
public:
  /// What Make returns or has returned for K; the same error for all who ask.
  llvm::Expected<const Value &>
  get(const Key &K, llvm::function_ref<llvm::Expected<Value>()> Make) {
    Entry &E = entry(K);
    std::call_once(E.Begun, [&] {
      if (llvm::Expected<Value> V = Make())
        E.Made.emplace(std::move(*V));
      else
        E.Problem = toString(V.takeError());
    });
    if (!E.Made)
      return llvm::createStringError(E.Problem);
    return *E.Made;
  }

private:
  struct Entry {
    std::once_flag Begun;
    std::optional<Value> Made;
    std::string Problem;
  };
  std::mutex Lock;
  std::map<Key, Entry> Entries;

  Entry &entry(const Key &K) {
    std::lock_guard Guard(Lock);
    return Entries[K]; // Stays in place.
  }
};

} // namespace regdem

#endif // REGDEM_TOOLCHAIN_PARALLEL_H
