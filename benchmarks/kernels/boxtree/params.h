//===- params.h - points in a box: kernel and host --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_BOXTREE_PARAMS_H
#define BENCHMARKS_BOXTREE_PARAMS_H

enum { Depth = 14, Nodes = (1 << Depth) - 1, StackSize = 16, BlockSize = 128 };

#endif // BENCHMARKS_BOXTREE_PARAMS_H
