//===- ShownLaunches.h - launches that host code shows ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the host code of a kernel's file shows of its launches stands on the
// kernel as attribute "regdem-shown":
//
//   "blocks=192,256"              nothing else launches it in the file
//   "blocks=192 others"           something may, with any number of threads
//   "blocks=192 dynamic=4096"     launches have dynamic shared memory, so many
//                                 bytes at most, though the kernel has none
//   "blocks=192 dynamic=unknown"  the same, but nobody knows how much
//
// Other files may launch the kernel otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_SHOWNLAUNCHES_H
#define REGDEM_ANALYSIS_SHOWNLAUNCHES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

struct ShownLaunches {
  /// Threads of a block, each number once, in the order of the source.
  llvm::SmallVector<unsigned, 4> Threads;
  /// The file may launch the kernel with others.
  bool HasOthers = false;
  /// Bytes of dynamic shared memory, at most; none: that is not known.
  std::optional<unsigned> MostDynamic = 0;

  /// Whether the file launches the kernel with blocks of these Threads only.
  bool areAll() const { return !HasOthers && !Threads.empty(); }
  /// Whether the file launches the kernel at all.
  bool isAny() const { return HasOthers || !Threads.empty(); }
};

/// By kernel, as it is mangled. Not in it: kernels of which no launch is shown.
using LaunchesOfFile = llvm::StringMap<ShownLaunches>;

/// What Shown has of the kernel that code generation names Symbol; null: none.
/// With -fgpu-rdc clang adds to the names of static kernels what tells files
/// apart.
const ShownLaunches *findLaunches(const LaunchesOfFile &Shown,
                                  llvm::StringRef Symbol);

/// Writes Shown on Kernel; DeclaresDynamic: the kernel has dynamic shared
/// memory of its own, of which launches elsewhere may have any amount.
void setShownLaunches(llvm::Function &Kernel, const ShownLaunches &Shown,
                      bool DeclaresDynamic);

/// What stands on Kernel.
ShownLaunches shownLaunches(const llvm::Function &Kernel);

} // namespace regdem

#endif // REGDEM_ANALYSIS_SHOWNLAUNCHES_H
