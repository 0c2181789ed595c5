//===- params.h - 3D wave equation: shared by kernel and host -----*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_WAVE3D_PARAMS_H
#define BENCHMARKS_WAVE3D_PARAMS_H

// ORDER (8, 10 or 12) comes from the command line.
enum {
  Radius = ORDER / 2,
  BlockX = 32,
  BlockY = 8,
  SlabDepth = 64, ///< planes that one thread marches through
  PadX = 16       ///< halo in x, wider than Radius to keep rows aligned
};

#endif // BENCHMARKS_WAVE3D_PARAMS_H
