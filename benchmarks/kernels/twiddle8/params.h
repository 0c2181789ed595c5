//===- params.h - FFT of eight with twiddles: kernel and host ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_TWIDDLE8_PARAMS_H
#define BENCHMARKS_TWIDDLE8_PARAMS_H

enum { Points = 8, BlockSize = 128 };

constexpr double TwoPi = 6.283185307179586;

#endif // BENCHMARKS_TWIDDLE8_PARAMS_H
