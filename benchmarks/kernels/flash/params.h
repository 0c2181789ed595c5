//===- params.h - attention: kernel and host --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_FLASH_PARAMS_H
#define BENCHMARKS_FLASH_PARAMS_H

enum {
  HeadSize = 64,
  KeyTile = 32, ///< keys and values staged at once
  Chunk = 8,    ///< keys between two updates of the running maximum
  BlockSize = 128
};

#endif // BENCHMARKS_FLASH_PARAMS_H
