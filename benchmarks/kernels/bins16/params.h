//===- params.h - counts of 16 bits: kernel and host ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_BINS16_PARAMS_H
#define BENCHMARKS_BINS16_PARAMS_H

enum { Kinds = 16, BlockSize = 128 };

#endif // BENCHMARKS_BINS16_PARAMS_H
