//===- params.h - recursive Gaussian filter: kernel and host ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_GAUSSIAN_PARAMS_H
#define BENCHMARKS_GAUSSIAN_PARAMS_H

enum { BlockSize = 64 };

#endif // BENCHMARKS_GAUSSIAN_PARAMS_H
