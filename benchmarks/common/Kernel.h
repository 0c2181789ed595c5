//===- Kernel.h - what every benchmark kernel includes ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only header of the harness that device code sees. It must compile under
// nvcc, under clang's CUDA mode and, for the emulator, as plain C++.
//
// BENCH_KERNEL(T) starts a kernel of at most T threads a block. Its launch
// bounds can be changed from the command line: -DBENCH_MIN_BLOCKS=8 asks for
// eight blocks on a multiprocessor, as a programmer would in the source, and
// -DBENCH_NO_BOUNDS states none.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COMMON_KERNEL_H
#define BENCHMARKS_COMMON_KERNEL_H

#if defined(__CUDACC__) || defined(__CUDA__)
#define BENCH_EXPORT(Name)
#else
#include "common/Emulation.h"
#endif

#if defined(BENCH_NO_BOUNDS)
#define BENCH_BOUNDS(Threads)
#elif defined(BENCH_MIN_BLOCKS)
#define BENCH_BOUNDS(Threads) __launch_bounds__(Threads, BENCH_MIN_BLOCKS)
#else
#define BENCH_BOUNDS(Threads) __launch_bounds__(Threads)
#endif

#define BENCH_KERNEL(Threads) extern "C" __global__ void BENCH_BOUNDS(Threads)

#endif // BENCHMARKS_COMMON_KERNEL_H
