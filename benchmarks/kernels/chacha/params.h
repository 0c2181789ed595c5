//===- params.h - ChaCha20 key stream: kernel and host ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_CHACHA_PARAMS_H
#define BENCHMARKS_CHACHA_PARAMS_H

enum { Words = 16, Key = 8, Rounds = 20, BlockSize = 128 };

#endif // BENCHMARKS_CHACHA_PARAMS_H
