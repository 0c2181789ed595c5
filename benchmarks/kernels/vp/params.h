//===- params.h - tree search: kernel and host ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_VP_PARAMS_H
#define BENCHMARKS_VP_PARAMS_H

enum {
  Dimensions = 7,
  StackSize = 32, ///< more than the depth of any tree used
  BlockSize = 192
};

#endif // BENCHMARKS_VP_PARAMS_H
