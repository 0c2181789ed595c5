//===- params.h - batched small Fourier transforms: kernel and host -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_FFT_PARAMS_H
#define BENCHMARKS_FFT_PARAMS_H

// POINTS (16 or 32) comes from the command line.
enum { Points = POINTS, LogPoints = POINTS == 16 ? 4 : 5, BlockSize = 128 };
static_assert(1 << LogPoints == Points, "POINTS must be 16 or 32");

#endif // BENCHMARKS_FFT_PARAMS_H
