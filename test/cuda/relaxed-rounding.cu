// By default rewrites keep each result, bit for bit. -regdem-fp=relaxed lets
// loops over arrays unroll where other products are fused with sums then,
// because it is not known which the stock build fuses: the last bits of some
// results change, and the report and the remark say so. Code that the compiler
// may reorder besides stays as it is.
// REQUIRES: clang-cuda
// DEFINE: %{all} = -mllvm "-regdem-build=cap=255 rewrites=lower-arrays"
// RUN: rm -rf %t && mkdir %t
// RUN: %device %s -o %t/stock.ptx
// RUN: %device %regdem %{all} -mllvm -regdem-report=%t/same.jsonl %s -o %t/same.ptx
// RUN: %device %regdem %{all} -mllvm -regdem-fp=relaxed -mllvm -regdem-report=%t/relaxed.jsonl -Rpass=regdem %s -o %t/relaxed.ptx 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: 'smooth' {{.*}}with arrays rewritten, other products fused:
// RUN: %report %t/same.jsonl smooth "'fp' not in vars()"
// RUN: %report %t/relaxed.jsonl smooth "fp == 'relaxed'"
// RUN: %python %S/../Transform/Inputs/compare_floats.py %clang smooth 1e-5 %t %t/stock.ptx %t/same.ptx %t/relaxed.ptx | FileCheck %s
// CHECK: same.ptx: same
// CHECK: relaxed.ptx: close
// RUN: %report %t/same.jsonl smooth "rewrites == ''" "'another way' in arrays[0]['reason']"
//
// What is read from the machine code is kept.
// RUN: %report %t/relaxed.jsonl known "'arrays' in rewrites" "'fp' not in vars()"
// RUN: %python %S/../Transform/Inputs/compare_floats.py %clang known 0 %t %t/stock.ptx %t/same.ptx %t/relaxed.ptx | FileCheck %s --check-prefix=KNOWN
// KNOWN: same.ptx: same
// KNOWN: relaxed.ptx: same
//
// The same where RegDem chooses by itself; what is exact is not called relaxed.
// RUN: %device %regdem -mllvm -regdem-fp=relaxed -mllvm -regdem-report=%t/auto.jsonl %s -o %t/auto.ptx
// RUN: %report %t/auto.jsonl smooth "'arrays' in rewrites" "fp == 'relaxed'"
// RUN: %report %t/auto.jsonl exact "'arrays' in rewrites" "'fp' not in vars()"
//
// RUN: %device -ffast-math %regdem %{all} -mllvm -regdem-fp=relaxed -mllvm -regdem-report=%t/fast.jsonl %s -o %t/fast.ptx
// RUN: %report %t/fast.jsonl smooth "rewrites == ''" "'another way' in arrays[0]['reason']"
// ptxas may fuse a product of inline assembly, which nobody can state.
static __device__ float number(unsigned x) {
  float number;
  asm("mul.f32 %0, %1, 0f3F800000;" : "=f"(number) : "f"(float(x >> 8)));
  return number + 3.0f;
}

template <bool IsKnown>
static __device__ __forceinline__ void body(const unsigned *in, float *out) {
  float values[32], before = 0.75f;
  for (int i = 0; i < 32; ++i)
    values[i] = 1;
#pragma unroll 1
  for (int i = 0; i < 32; ++i) {
    unsigned word = in[32 * i + threadIdx.x];
    float x = IsKnown ? float(word >> 8) + 3.0f : number(word);
    values[i] = values[i] + before;
    before = x * 1.7f; // Added to the next one.
  }
  for (int i = 0; i < 32; ++i)
    out[32 * i + threadIdx.x] = values[in[1024 + 32 * i + threadIdx.x] & 31];
}

extern "C" __global__ void __launch_bounds__(32)
    smooth(const unsigned *in, float *out, unsigned n) {
  body<false>(in, out);
}

extern "C" __global__ void __launch_bounds__(32)
    known(const unsigned *in, float *out, unsigned n) {
  body<true>(in, out);
}

extern "C" __global__ void __launch_bounds__(32)
    exact(const unsigned *in, unsigned *out, unsigned n) {
  unsigned values[8];
  for (int i = 0; i < 8; ++i)
    values[i] = in[32 * i + threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < 32; ++i)
    values[in[1024 + 32 * i + threadIdx.x] & 7] += i;
  for (int i = 0; i < 8; ++i)
    out[32 * i + threadIdx.x] = values[i];
}
