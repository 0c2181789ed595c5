//===- params.h - separable convolution: kernel and host --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_CONV_PARAMS_H
#define BENCHMARKS_CONV_PARAMS_H

enum {
  Radius = 8,
  BlockX = 16,
  BlockY = 8,
  ResultSteps = 8, ///< rows of the tile, in units of BlockY
  HaloSteps = 1
};

/// Weights at the distances 0..Radius: a Gaussian of sigma 3.
constexpr float Weights[Radius + 1] = {0.13351991f, 0.12630258f, 0.10691519f,
                                       0.08098431f, 0.05489104f, 0.03329193f,
                                       0.01806909f, 0.00877542f, 0.00381379f};

#endif // BENCHMARKS_CONV_PARAMS_H
