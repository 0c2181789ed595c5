//===- params.h - nearest neighbours by brute force: kernel and host -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_KNN16_PARAMS_H
#define BENCHMARKS_KNN16_PARAMS_H

enum { Dimensions = 4, Kept = 16, BlockSize = 128 };

#endif // BENCHMARKS_KNN16_PARAMS_H
