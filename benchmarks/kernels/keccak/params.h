//===- params.h - SHA3-256: kernel and host ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_KECCAK_PARAMS_H
#define BENCHMARKS_KECCAK_PARAMS_H

enum {
  RateWords = 17,    ///< 64-bit words absorbed at once by SHA3-256
  MessageBlocks = 4, ///< padding included
  DigestWords = 4,
  BlockSize = 128
};

#endif // BENCHMARKS_KECCAK_PARAMS_H
