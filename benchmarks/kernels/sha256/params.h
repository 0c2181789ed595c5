//===- params.h - SHA-256: shared by kernel and host --------------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_SHA256_PARAMS_H
#define BENCHMARKS_SHA256_PARAMS_H

enum {
  MessageWords = 60, ///< 240 bytes
  MessageBlocks = 4, ///< of 16 words, padding included
  BlockSize = 256
};

#endif // BENCHMARKS_SHA256_PARAMS_H
