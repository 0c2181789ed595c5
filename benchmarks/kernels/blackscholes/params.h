//===- params.h - option prices: kernel and host ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_BLACKSCHOLES_PARAMS_H
#define BENCHMARKS_BLACKSCHOLES_PARAMS_H

enum { BlockSize = 256 };
constexpr float Rate = 0.02f, Volatility = 0.3f;

#endif // BENCHMARKS_BLACKSCHOLES_PARAMS_H
