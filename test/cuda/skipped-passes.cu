// Where a pass of LLVM's costs the registers, it is left out instead of values
// being demoted, or before they are.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass=regdem -Rpass-analysis=regdem 2>&1 | FileCheck %s
// RUN: %report %t.jsonl stencil "decision == 'rewrite'" "rewrites == 'skip-loop-reduce'" "slots == 0" "max_regs == 32" "[v['rewrites'] for v in variants if v['chosen']] == ['skip-loop-reduce']" "variants[0]['spill_load_bytes'] > 0" "not any(v['spill_load_bytes'] for v in variants if v['chosen'])"
// RUN: %report %t.jsonl branches "rewrites == 'skip-machine-sink'" "[v['rewrites'] for v in variants if v['chosen']] == ['skip-machine-sink']" "variants[0]['spill_load_bytes'] > 2 * variants[1]['spill_load_bytes']"
// RUN: %report %t.jsonl product "rewrites == 'skip-machine-sink'"
// RUN: %entry-text %t.s product > %t.entry
// RUN: FileCheck %s --check-prefix=STATED < %t.entry
// RUN: %python %S/Inputs/fused.py %t.entry
//
// The same again, byte for byte.
// RUN: rm -f %t.again.jsonl
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-report=%t.again.jsonl %s -o %t.again.s -Rpass=regdem -Rpass-analysis=regdem 2> %t.again.remarks
// RUN: cmp %t.s %t.again.s
// RUN: cmp %t.jsonl %t.again.jsonl

// CHECK: remark: 'stencil' as stock, without loop-reduce: {{.*}} 0 bytes of spill code, {{.*}} chosen
// CHECK: remark: 'stencil' built, without loop-reduce: built so, it keeps to 32 registers without demotion

#include "Inputs/stencil.h"

extern "C" __global__ void __launch_bounds__(256, 8)
    stencil(const float *__restrict__ In, float *__restrict__ Out, int Pitch,
            int Rows, int Steps) {
  climb(In, Out, Pitch, Rows, Steps);
}

template <int R>
__device__ __forceinline__ void react(double T, const double (&C)[16],
                                      double (&Rate)[16]) {
  if constexpr (R < 32) {
    double Forward = exp(0.1 * R + T * (R + 1));
    double Backward = Forward * exp(0.2 * R - T);
    double Progress = Forward * C[R % 16] * C[(R * 7 + 3) % 16] -
                      Backward * C[(R * 5 + 1) % 16] * C[(R * 3 + 2) % 16];
    Rate[R % 16] -= Progress;
    Rate[(R * 7 + 3) % 16] -= Progress;
    Rate[(R * 5 + 1) % 16] += Progress;
    Rate[(R * 3 + 2) % 16] += Progress;
    react<R + 1>(T, C, Rate);
  }
}

template <bool WithProduct>
__device__ __forceinline__ void solve(const double *In, double *Out, int N) {
  if (threadIdx.x >= N)
    return;
  double C[16], Rate[16];
#pragma unroll
  for (int S = 0; S < 16; ++S) {
    C[S] = In[S * 4096 + threadIdx.x];
    Rate[S] = 0;
  }
  double Product = C[0] * C[1];
  react<0>(In[threadIdx.x], C, Rate);
#pragma unroll
  for (int S = 0; S < 16; ++S)
    Out[S * 4096 + threadIdx.x] = WithProduct ? Rate[S] + Product : Rate[S];
}

// Each exp() branches. What is after one of them may stand there or, for all
// of them, at the end, which is where sinking takes it in code behind a guard.
extern "C" __global__ void __launch_bounds__(128, 4)
    branches(const double *In, double *Out, int N) {
  solve<false>(In, Out, N);
}

// The same with a product that ptxas may fuse into sums, which where it stands
// may decide: the roundings of the stock build are stated.
// STATED: mul.rn.f64
extern "C" __global__ void __launch_bounds__(128, 4)
    product(const double *In, double *Out, int N) {
  solve<true>(In, Out, N);
}
