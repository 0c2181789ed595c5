//===- params.h - cold state: shared by kernel and host -----------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COLDSTATE_PARAMS_H
#define BENCHMARKS_COLDSTATE_PARAMS_H

enum {
  ColdValues = 44,
  Steps = 64, ///< length of the dependent chain
  WarpSize = 32,
  BlockSize = 256
};

#endif // BENCHMARKS_COLDSTATE_PARAMS_H
