//===- params.h - vectors by element: kernel and host -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_LANES4_PARAMS_H
#define BENCHMARKS_LANES4_PARAMS_H

enum { Lanes = 4, BlockSize = 256 };

#endif // BENCHMARKS_LANES4_PARAMS_H
