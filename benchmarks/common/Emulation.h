//===- Emulation.h - CUDA's language on the CPU -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Just enough of CUDA C++ to compile the benchmark kernels with a host
// compiler and run small problems, so that kernels, references and launch
// geometry are tested on machines without a GPU. Blocks run one after the
// other and the threads of a block are fibers, so __shared__ is `static` and
// __syncthreads() is a switch to the next fiber. No warp-level functions.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COMMON_EMULATION_H
#define BENCHMARKS_COMMON_EMULATION_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <utility>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __constant__ static
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

struct uint3 {
  unsigned x, y, z;
};
struct float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) double2 {
  double x, y;
};
struct alignas(16) double4 {
  double x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
inline float2 make_float2(float X, float Y) { return {X, Y}; }
inline double2 make_double2(double X, double Y) { return {X, Y}; }
inline float4 make_float4(float X, float Y, float Z, float W) {
  return {X, Y, Z, W};
}

namespace bench::emulation {
struct ThreadState {
  uint3 Thread, Block, BlockSize, GridSize;
};
extern ThreadState State;

using Trampoline = void (*)(void **Arguments);

/// Makes a kernel known by name. \p Arguments are as for cuLaunchKernel.
bool registerKernel(const char *Name, Trampoline Run);

/// Lets the other threads of the block run up to their next barrier.
void barrier();

template <class... Args, size_t... I>
void callKernel(void (*Kernel)(Args...), void **Arguments,
                std::index_sequence<I...>) {
  Kernel(*static_cast<std::remove_reference_t<Args> *>(Arguments[I])...);
}
template <class... Args>
void callKernel(void (*Kernel)(Args...), void **Arguments) {
  callKernel(Kernel, Arguments, std::index_sequence_for<Args...>());
}
} // namespace bench::emulation

#define threadIdx (bench::emulation::State.Thread)
#define blockIdx (bench::emulation::State.Block)
#define blockDim (bench::emulation::State.BlockSize)
#define gridDim (bench::emulation::State.GridSize)

inline void __syncthreads() { bench::emulation::barrier(); }
template <class T> T __ldg(const T *Address) { return *Address; }
inline float rsqrtf(float X) { return 1.0f / std::sqrt(X); }
inline float __saturatef(float X) { return X < 0 ? 0 : X > 1 ? 1 : X; }
inline unsigned __funnelshift_l(unsigned Low, unsigned High, unsigned Shift) {
  Shift &= 31;
  return Shift ? (High << Shift) | (Low >> (32 - Shift)) : High;
}
inline unsigned __byte_perm(unsigned X, unsigned Y, unsigned Selector) {
  uint64_t Both = (uint64_t(Y) << 32) | X;
  unsigned Result = 0;
  for (unsigned I = 0; I < 4; ++I)
    Result |= unsigned((Both >> (8 * ((Selector >> (4 * I)) & 7))) & 255)
              << (8 * I);
  return Result;
}
inline int min(int A, int B) { return A < B ? A : B; }
inline int max(int A, int B) { return A > B ? A : B; }

#define BENCH_EXPORT(Name)                                                     \
  [[maybe_unused]] static const bool Registered_##Name =                       \
      bench::emulation::registerKernel(#Name, [](void **Arguments) {           \
        bench::emulation::callKernel(&Name, Arguments);                        \
      });

#endif // BENCHMARKS_COMMON_EMULATION_H
