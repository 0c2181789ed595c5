// A radix-8 step of an FFT: butterflies with a product that many sums read, in
// other blocks, and twiddles in a loop with a call. Which products are fused
// shows in the stock build's machine code; with that stated the array becomes
// registers. Products without modifier are read by no sum.
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t
// RUN: %device %regdem -mllvm -regdem-report=%t/auto.jsonl %s -o %t/auto.ptx
// RUN: %report %t/auto.jsonl radix8 "'lower-arrays' in rewrites" "arrays[0]['fate'] == 'registers'" "'fp' not in vars()"
// RUN: %entry-text %t/auto.ptx radix8 > %t/auto.entry
// RUN: FileCheck %s < %t/auto.entry
// RUN: %python %S/Inputs/fused.py %t/auto.entry
// CHECK: mul.rn.f64
// CHECK: fma.rn.f64
// The rest of the frame is for huge arguments of sincos, as with nvcc.
// RUN: %ptxas %t/auto.ptx -o %t/auto.cubin 2>&1 | FileCheck %s --check-prefix=FRAME
// FRAME: 40 bytes stack frame, 0 bytes spill stores
//
// Stated builds ask as well; without an assembler nobody knows.
// RUN: %device %regdem -mllvm "-regdem-build=rewrites=lower-arrays" %s -o %t/stated.ptx
// RUN: %entry-text %t/stated.ptx radix8 | FileCheck %s
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm "-regdem-build=rewrites=lower-arrays" -mllvm -regdem-report=%t/off.jsonl %s -o %t/off.ptx
// RUN: %report %t/off.jsonl radix8 "rewrites == ''" "arrays[0]['fate'] == 'local'"
struct C {
  double re, im;
};
static __device__ __forceinline__ C operator+(C a, C b) {
  return {a.re + b.re, a.im + b.im};
}
static __device__ __forceinline__ C operator-(C a, C b) {
  return {a.re - b.re, a.im - b.im};
}
static __device__ __forceinline__ C operator*(C a, C b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static __device__ __forceinline__ void two(C &a, C &b) {
  C t = a;
  a = t + b;
  b = t - b;
}
static __device__ __forceinline__ void four(C &a, C &b, C &c, C &d) {
  two(a, c);
  two(b, d);
  d = d * C{0, -1};
  two(a, b);
  two(c, d);
}
static __device__ __forceinline__ void eight(C *v) {
  const double h = 0.70710678118654752;
  two(v[0], v[4]);
  two(v[1], v[5]);
  two(v[2], v[6]);
  two(v[3], v[7]);
  v[5] = C{v[5].re * 1 - v[5].im * -1, v[5].re * -1 + v[5].im * 1};
  v[5] = {v[5].re * h, v[5].im * h};
  v[6] = v[6] * C{0, -1};
  v[7] = v[7] * C{-1, -1};
  v[7] = {v[7].re * h, v[7].im * h};
  four(v[0], v[1], v[2], v[3]);
  four(v[4], v[5], v[6], v[7]);
}
extern "C" __global__ void __launch_bounds__(64) radix8(C *data, int stride) {
  const int perm[8] = {0, 4, 2, 6, 1, 5, 3, 7};
  int t = threadIdx.x, base = blockIdx.x * 512 + t;
  C v[8];
  for (int i = 0; i < 8; i++)
    v[i] = data[base + i * 64];
  eight(v);
  for (int i = 1; i < 8; i++) {
    double sn, cs;
    sincos(-6.283185307179586 * perm[i] / stride * t, &sn, &cs);
    v[i] = v[i] * C{cs, sn};
  }
  eight(v);
  for (int i = 0; i < 8; i++)
    data[base + i * 64] = v[perm[i]];
}
