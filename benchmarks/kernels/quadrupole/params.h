//===- params.h - gravity of multipoles: kernel and host --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_QUADRUPOLE_PARAMS_H
#define BENCHMARKS_QUADRUPOLE_PARAMS_H

enum {
  BodiesPerThread = 2,
  BlockSize = 256,
  CellFloats = 10 ///< position, mass, quadrupole xx xy xz yy yz zz
};
constexpr float Softening = 1e-3f;

#endif // BENCHMARKS_QUADRUPOLE_PARAMS_H
