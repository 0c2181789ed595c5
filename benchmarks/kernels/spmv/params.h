//===- params.h - sparse matrix times vector: kernel and host ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_SPMV_PARAMS_H
#define BENCHMARKS_SPMV_PARAMS_H

enum { BlockSize = 256, Entries = 27 };

#endif // BENCHMARKS_SPMV_PARAMS_H
