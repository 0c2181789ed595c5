//===- Real.cu - a library's work in a kernel without launch bounds -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One of the kernels of benchmarks/real for any block and grid: a thread makes
// its values of random words, has the library work on them, and keeps a word
// that all results are mixed into. real.py compiles this once for each kernel,
// by stock clang and with builds that are chosen at launch. REAL_SOURCE is the
// kernel's file, REAL_LAUNCH the name of the kernel, REAL_LAUNCHER that of the
// function which launches it.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include REAL_SOURCE

namespace {

constexpr int WordsOfValue = sizeof(REAL_TYPE) / 4;

/// A value from Low to High, or one of random bits.
template <class T> __device__ T makeValue(const unsigned *Words) {
  if constexpr (std::is_floating_point_v<T>)
    return T(REAL_LOW) +
           T(REAL_HIGH - REAL_LOW) * (T(Words[0]) / T(1ull << 32));
  unsigned long long Bits = Words[0];
  if constexpr (sizeof(T) == 8)
    Bits = Bits << 32 | Words[1];
  return static_cast<T>(REAL_BITS < 64 ? Bits & ((1ull << REAL_BITS % 64) - 1)
                                       : Bits);
}

template <class T> __device__ unsigned mixed(unsigned Sum, T Value) {
  unsigned Words[sizeof(T) / 4];
  __builtin_memcpy(Words, &Value, sizeof(T));
  for (unsigned Word : Words)
    Sum = (Sum ^ Word) * 0x85EBCA77u + (Sum >> 15);
  return Sum;
}

__global__ void REAL_LAUNCH(const unsigned *__restrict__ In,
                            unsigned *__restrict__ Out) {
  unsigned T = blockIdx.x * blockDim.x + threadIdx.x, Sum = 0;
  REAL_TYPE Values[REAL_INS], Results[REAL_OUTS];
#pragma unroll
  for (int K = 0; K < REAL_INS; ++K) {
    unsigned Words[WordsOfValue];
#pragma unroll
    for (int W = 0; W < WordsOfValue; ++W)
      Words[W] = In[((K * WordsOfValue + W) * 1048583u + T) & (InWords - 1)];
    Values[K] = makeValue<REAL_TYPE>(Words);
  }
  item(Inputs{Values, 1}, Outputs{Results, 1});
#pragma unroll
  for (int K = 0; K < REAL_OUTS; ++K)
    Sum = mixed(Sum, Results[K]);
  Out[T] = Sum;
}

} // namespace

extern "C" cudaError_t REAL_LAUNCHER(unsigned Blocks, unsigned Threads,
                                     const unsigned *In, unsigned *Out,
                                     cudaStream_t Stream) {
  REAL_LAUNCH<<<Blocks, Threads, 0, Stream>>>(In, Out);
  return cudaGetLastError();
}
