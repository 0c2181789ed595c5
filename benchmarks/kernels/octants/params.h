//===- params.h - nearest point of each octant: kernel and host -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_OCTANTS_PARAMS_H
#define BENCHMARKS_OCTANTS_PARAMS_H

enum { Octants = 8, BlockSize = 128 };

#endif // BENCHMARKS_OCTANTS_PARAMS_H
