//===- params.h - batched QR solves: kernel and host ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_QR16_PARAMS_H
#define BENCHMARKS_QR16_PARAMS_H

enum { Size = 16, BlockSize = 128 };

#endif // BENCHMARKS_QR16_PARAMS_H
