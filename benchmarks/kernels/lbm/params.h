//===- params.h - lattice Boltzmann: kernel and host ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// REAL (float or double) and THREADS come from the command line.
using Real = REAL;
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_LBM_PARAMS_H
#define BENCHMARKS_LBM_PARAMS_H

enum { Directions = 19, BlockSize = THREADS };
constexpr Real Smagorinsky = Real(0.0289); ///< 18 times the constant squared

#endif // BENCHMARKS_LBM_PARAMS_H
