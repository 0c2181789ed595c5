//===- params.h - Rosenbrock method: kernel and host ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_ROSENBROCK_PARAMS_H
#define BENCHMARKS_ROSENBROCK_PARAMS_H

enum { Species = 8, Steps = 12, BlockSize = 128 };

#endif // BENCHMARKS_ROSENBROCK_PARAMS_H
