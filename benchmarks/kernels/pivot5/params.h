//===- params.h - small systems of equations: kernel and host ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_PIVOT5_PARAMS_H
#define BENCHMARKS_PIVOT5_PARAMS_H

enum { Rows = 5, BlockSize = 128 };

#endif // BENCHMARKS_PIVOT5_PARAMS_H
