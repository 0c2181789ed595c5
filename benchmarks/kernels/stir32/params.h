//===- params.h - a stirred permutation: kernel and host --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_STIR32_PARAMS_H
#define BENCHMARKS_STIR32_PARAMS_H

enum {
  States = 32,
  Mask = States - 1,
  PerWord = 6, ///< numbers of five bits in a word of the stream
  KeyWords = 4,
  BlockSize = 128
};

#endif // BENCHMARKS_STIR32_PARAMS_H
