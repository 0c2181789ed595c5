//===- params.h - Euler fluxes: kernel and host -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_CFD_PARAMS_H
#define BENCHMARKS_CFD_PARAMS_H

enum {
  Neighbours = 4,
  Variables = 5, ///< density, momentum (x, y, z), energy
  Wing = -1,     ///< neighbour index: solid wall
  FarField = -2, ///< neighbour index: outer boundary
  BlockSize = 192
};

#endif // BENCHMARKS_CFD_PARAMS_H
