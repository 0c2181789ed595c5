//===- WarpState.h - warps and blocks of a partition ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_WARPSTATE_H
#define REGDEM_LIB_DECISION_MODEL_WARPSTATE_H

#include "regdem/MachineCode/Sass.h"
#include <cstddef>
#include <limits>
#include <vector>

namespace regdem {

struct Warp {
  size_t Next = 0; ///< Index of the step to issue next.
  double Ready = 0;
  /// When each scoreboard is released.
  double Free[SassControl::NumBarriers] = {};
  bool AtBarrier = false;
};

/// What decides when a warp issues, which is asked of all of them all the time.
struct Turn {
  double Due = 0; ///< When the warp may issue if its unit lets it, or Never.
  const double *Unit = nullptr;  ///< When that unit can take its next step.
  const double *Ports = nullptr; ///< When those that it reads from can.
};

constexpr double Never = std::numeric_limits<double>::infinity();

/// A thread block. Ends: when it, and those that took its place, were done.
struct Group {
  unsigned Place = 0;                 ///< Among the groups at the start.
  unsigned Waiting = 0, Finished = 0; ///< Warps.
  std::vector<double> Ends;
};

/// How often Groups were done, all together.
inline size_t completions(const std::vector<Group> &Groups) {
  size_t Count = 0;
  for (const Group &G : Groups)
    Count += G.Ends.size();
  return Count;
}

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_WARPSTATE_H
