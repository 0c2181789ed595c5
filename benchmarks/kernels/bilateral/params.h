//===- params.h - bilateral filter: kernel and host -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_BILATERAL_PARAMS_H
#define BENCHMARKS_BILATERAL_PARAMS_H

enum { Radius = 4, BlockX = 32, BlockY = 8 };
constexpr float SpaceScale = 1.0f / 18, RangeScale = 12.5f;

#endif // BENCHMARKS_BILATERAL_PARAMS_H
