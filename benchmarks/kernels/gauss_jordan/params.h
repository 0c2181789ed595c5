//===- params.h - Gauss-Jordan: shared by kernel and host ---------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_GAUSS_JORDAN_PARAMS_H
#define BENCHMARKS_GAUSS_JORDAN_PARAMS_H

enum { Size = 8, BlockSize = 256 };

#endif // BENCHMARKS_GAUSS_JORDAN_PARAMS_H
