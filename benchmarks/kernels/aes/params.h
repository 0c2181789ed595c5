//===- params.h - bit-sliced AES: kernel and host ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_AES_PARAMS_H
#define BENCHMARKS_AES_PARAMS_H

enum {
  StateBits = 128,
  Rounds = 10,
  Lanes = 32, ///< blocks a thread encrypts at once, one per bit of a word
  BlockSize = 128
};

#endif // BENCHMARKS_AES_PARAMS_H
