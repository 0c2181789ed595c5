//===- params.h - counts behind a guard: kernel and host --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_DIGITS_PARAMS_H
#define BENCHMARKS_DIGITS_PARAMS_H

enum { Kinds = 10, BlockSize = 256 };

#endif // BENCHMARKS_DIGITS_PARAMS_H
