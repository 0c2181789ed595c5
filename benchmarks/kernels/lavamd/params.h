//===- params.h - particles in boxes: kernel and host -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_LAVAMD_PARAMS_H
#define BENCHMARKS_LAVAMD_PARAMS_H

enum {
  Particles = 100, ///< in one box
  Neighbours = 27, ///< boxes, itself included
  BlockSize = 128
};
constexpr double Decay = 0.5; ///< alpha of the potential

/// Of a particle (v, x, y, z) or of what acts on it.
struct alignas(16) Vector4 {
  double V, X, Y, Z;
};

#endif // BENCHMARKS_LAVAMD_PARAMS_H
