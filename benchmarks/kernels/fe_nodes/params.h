//===- params.h - values at the nodes of an element: kernel and host *- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_FE_NODES_PARAMS_H
#define BENCHMARKS_FE_NODES_PARAMS_H

enum { Nodes = 8, Fields = 4, Faces = 6, BlockSize = 128 };

#endif // BENCHMARKS_FE_NODES_PARAMS_H
