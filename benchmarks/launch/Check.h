//===- Check.h - kernels launched in several ways ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_LAUNCH_CHECK_H
#define BENCHMARKS_LAUNCH_CHECK_H

#include <cuda_runtime.h>

/// Words of In are random, and their number a power of two; Out has a word a
/// thread.
using Launcher = cudaError_t (*)(unsigned Blocks, unsigned Threads,
                                 const unsigned *In, unsigned *Out,
                                 cudaStream_t Stream);

struct NamedLauncher {
  const char *Name;
  Launcher Launch;
};

inline constexpr unsigned InWords = 1u << 26;

extern const unsigned NumKernels;

// The same source, compiled by stock clang and with builds chosen at launch. Of
// the latter there are four copies, as each reads REGDEM_LAUNCH once: the one
// that chooses, and those that take one build wherever they can.
extern const NamedLauncher StockKernels[];
extern const NamedLauncher ChoosingKernels[];
extern const NamedLauncher Build1Kernels[];
extern const NamedLauncher Build2Kernels[];
extern const NamedLauncher Build3Kernels[];

#endif // BENCHMARKS_LAUNCH_CHECK_H
