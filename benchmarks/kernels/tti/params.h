//===- params.h - anisotropic wave equation: kernel and host ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_TTI_PARAMS_H
#define BENCHMARKS_TTI_PARAMS_H

enum {
  Radius = 4,      ///< of derivatives along one axis
  MixedRadius = 2, ///< of mixed derivatives
  BlockX = 32,
  BlockY = 8,
  PadX = 8
};

#endif // BENCHMARKS_TTI_PARAMS_H
