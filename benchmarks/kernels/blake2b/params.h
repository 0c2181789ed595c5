//===- params.h - BLAKE2b: kernel and host ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_BLAKE2B_PARAMS_H
#define BENCHMARKS_BLAKE2B_PARAMS_H

enum {
  MessageBlocks = 4, ///< of 128 bytes
  BlockWords = 16,
  DigestWords = 8,
  Rounds = 12,
  BlockSize = 128
};

#endif // BENCHMARKS_BLAKE2B_PARAMS_H
