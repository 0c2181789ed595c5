//===- params.h - Lennard-Jones forces: kernel and host ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_MD_PARAMS_H
#define BENCHMARKS_MD_PARAMS_H

enum { Neighbours = 124, BlockSize = 256 };

#endif // BENCHMARKS_MD_PARAMS_H
