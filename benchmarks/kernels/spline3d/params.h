//===- params.h - tricubic splines: kernel and host -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_SPLINE3D_PARAMS_H
#define BENCHMARKS_SPLINE3D_PARAMS_H

enum {
  Values = 10, ///< value, gradient, second derivatives xx xy xz yy yz zz
  BlockSize = 128
};

#endif // BENCHMARKS_SPLINE3D_PARAMS_H
