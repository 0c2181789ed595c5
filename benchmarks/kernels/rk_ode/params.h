//===- params.h - Runge-Kutta ensemble: kernel and host ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_RK_ODE_PARAMS_H
#define BENCHMARKS_RK_ODE_PARAMS_H

enum { Variables = 10, Steps = 40, BlockSize = 128 };
constexpr float StepSize = 0.01f;

#endif // BENCHMARKS_RK_ODE_PARAMS_H
