//===- params.h - Wilson operator: kernel and host --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_WILSON_PARAMS_H
#define BENCHMARKS_WILSON_PARAMS_H

// REAL (float or double) comes from the command line.
using Real = REAL;

enum {
  Dimensions = 4,
  Colours = 3,
  Spins = 4,
  SpinorReals = 2 * Colours * Spins, ///< real numbers of a 4x3 spinor
  LinkReals = 2 * Colours * Colours, ///< of a 3x3 complex matrix
  BlockSize = 128
};

#endif // BENCHMARKS_WILSON_PARAMS_H
