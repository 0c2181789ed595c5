//===- NotedLaunches.h - launches that were noted ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file that `regdem-launches ./program` writes:
//
//   {"version":1, "launches":[{"kernel":"_Z4stepPf", "block":[256,1,1],
//     "grid":[1024,1,1], "dynamic_smem":0, "count":20,
//     "multiprocessors":132}]}
//
// Without "grid", "count" or "multiprocessors", the SMs of the GPU, how many
// blocks an SM gets is not known. Launches of a build of RegDem's are the
// kernel's; their "build" is not read.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_NOTEDLAUNCHES_H
#define REGDEM_DECISION_BUILDS_NOTEDLAUNCHES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>

namespace regdem {

/// Launches that give the SM which gets most as many blocks.
struct NotedGrid {
  unsigned BlocksOnSM = 0;
  double Share = 0; ///< Of all blocks that such SMs get.
};

/// What all noted launches of a kernel have in common.
struct NotedLaunches {
  unsigned Threads = 0; ///< Of a block; 0: they differ.
  /// Bytes of dynamic shared memory, at most; none as mostDynamicOfBoth() has
  /// it.
  std::optional<unsigned> MostDynamic = 0;
  /// Those with most blocks, at most MostGrids. None: not known of all
  /// launches, or Threads differ.
  llvm::SmallVector<NotedGrid, 4> Grids;

  static constexpr size_t MostGrids = 4;
};

/// The launches in Text by kernel (mangled). An error says what is wrong with
/// it.
llvm::Expected<std::map<std::string, NotedLaunches>>
parseNotedLaunches(llvm::StringRef Text);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_NOTEDLAUNCHES_H
