//===- Item.h - a kernel that calls a library, one item a thread *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every kernel.cu of this folder includes first. A kernel.cu defines
//
//   REAL_ITEM(In, Out) { ... }
//
// the work of one thread: it reads In[0] to In[REAL_INS - 1] and writes Out[0]
// to Out[REAL_OUTS - 1]. The GPU runs it as the kernel `item`; the host
// program runs the same function, compiled for the CPU, as the reference. A
// file that defines REAL_WIDE writes the kernel itself, for threads that work
// together, and `reference` for the host, which does a whole block.
//
// kernel.json gives REAL_TYPE, REAL_INS, REAL_OUTS and REAL_BLOCK. Value K of
// thread T is at [K * threads + T].
//
// Libraries that know nothing of CUDA are made device code by clang's pragma,
// between REAL_LIBRARY_BEGIN and REAL_LIBRARY_END; nvcc has no such means, and
// such kernels are built by clang alone.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_REAL_ITEM_H
#define BENCHMARKS_REAL_ITEM_H

// Of the standard library nothing becomes device code by the pragma: what it
// has for device code is constexpr.
#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__CUDACC__) || defined(__CUDA__)
#define REAL_GPU 1
#define REAL_DEVICE __host__ __device__
#else
#define REAL_GPU 0
#define REAL_DEVICE
#endif

#if REAL_GPU && defined(__clang__)
#define REAL_LIBRARY_BEGIN _Pragma("clang force_cuda_host_device begin")
#define REAL_LIBRARY_END _Pragma("clang force_cuda_host_device end")
#else
#define REAL_LIBRARY_BEGIN
#define REAL_LIBRARY_END
#endif

/// Values of one thread, `Stride` apart.
template <class T> struct Column {
  T *Data;
  size_t Stride;
  REAL_DEVICE T &operator[](int K) const { return Data[K * Stride]; }
};
using Inputs = Column<const REAL_TYPE>;
using Outputs = Column<REAL_TYPE>;

#define REAL_ITEM(In, Out)                                                     \
  static REAL_DEVICE inline void item(Inputs In, Outputs Out)

#ifdef REAL_WIDE
/// The work of a block of REAL_BLOCK threads; value K of its thread T is at
/// [K * Stride + T].
static void reference(const REAL_TYPE *In, REAL_TYPE *Out, size_t Stride);
#else
REAL_ITEM(In, Out);
#if REAL_GPU && !defined(REAL_LAUNCH) // Which makes a kernel of its own.
extern "C" __global__ void __launch_bounds__(REAL_BLOCK)
    item(const REAL_TYPE *In, REAL_TYPE *Out, int Threads) {
  int T = blockIdx.x * REAL_BLOCK + threadIdx.x;
  item(Inputs{In + T, size_t(Threads)}, Outputs{Out + T, size_t(Threads)});
}
#endif
#endif

#endif // BENCHMARKS_REAL_ITEM_H
