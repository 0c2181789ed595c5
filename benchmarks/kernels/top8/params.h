//===- params.h - smallest of a column: kernel and host ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_TOP8_PARAMS_H
#define BENCHMARKS_TOP8_PARAMS_H

enum { Kept = 8, BlockSize = 128 };

#endif // BENCHMARKS_TOP8_PARAMS_H
