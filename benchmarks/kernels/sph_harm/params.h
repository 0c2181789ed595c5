//===- params.h - power spectrum of neighbours: kernel and host -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_SPH_HARM_PARAMS_H
#define BENCHMARKS_SPH_HARM_PARAMS_H

enum {
  Degree = 6,
  Functions = (Degree + 1) * (Degree + 1),
  Neighbours = 24, ///< of one atom
  BlockSize = 128
};
constexpr float Cutoff = 2.0f;

#endif // BENCHMARKS_SPH_HARM_PARAMS_H
