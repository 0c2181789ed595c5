//===- params.h - MD5 key search: kernel and host ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_MD5HASH_PARAMS_H
#define BENCHMARKS_MD5HASH_PARAMS_H

enum {
  KeyLength = 6,   ///< bytes, each 'a' + a digit
  ResultWords = 5, ///< found index, digest
  BlockSize = 256
};

#endif // BENCHMARKS_MD5HASH_PARAMS_H
