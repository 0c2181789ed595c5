//===- params.h - small inverses: kernel and host ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_INVERSE4_PARAMS_H
#define BENCHMARKS_INVERSE4_PARAMS_H

enum { Rows = 4, BlockSize = 128 };

#endif // BENCHMARKS_INVERSE4_PARAMS_H
