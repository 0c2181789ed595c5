//===- Obstacles.h - what stands in the way of a kernel, in words -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_EMISSION_OBSTACLES_H
#define REGDEM_LIB_EMISSION_OBSTACLES_H

#include "regdem/Analysis/Legality.h"
#include <string>

namespace regdem {

struct Outcome;

/// What Why means for the kernel of O, and what the user can state against it,
/// as one clause; empty for no obstacle.
std::string describeObstacle(const Outcome &O, Obstacle Why);

} // namespace regdem

#endif // REGDEM_LIB_EMISSION_OBSTACLES_H
