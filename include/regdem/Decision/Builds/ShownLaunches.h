//===- ShownLaunches.h - block sizes that host code shows -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_SHOWNLAUNCHES_H
#define REGDEM_DECISION_BUILDS_SHOWNLAUNCHES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace regdem {

/// What the host code of a kernel's file shows of its launches.
struct ShownLaunches {
  /// Threads of a block, each number once, in the order of the source.
  llvm::SmallVector<unsigned, 4> Threads;
  /// The file launches the kernel with no others, and hands it to nobody who
  /// might.
  bool AreAll = true;
};

/// By kernel, as it is mangled. Not in it: kernels of which no launch is shown.
using LaunchesOfFile = llvm::StringMap<ShownLaunches>;

/// What Shown has of the kernel that code generation names Symbol; null: none.
/// With -fgpu-rdc clang adds to the names of static kernels what tells files
/// apart.
inline const ShownLaunches *findLaunches(const LaunchesOfFile &Shown,
                                         llvm::StringRef Symbol) {
  for (llvm::StringRef Infix : {"__static__", "__intern__"})
    Symbol = Symbol.take_front(Symbol.rfind(Infix));
  auto It = Shown.find(Symbol);
  return It == Shown.end() ? nullptr : &It->second;
}

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_SHOWNLAUNCHES_H
