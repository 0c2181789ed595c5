// Functions of code that is to be linked have sections of their own, and belong
// to the kernels that call them; others are not in the file.
// REQUIRES: clang-cuda
// RUN: %device -fgpu-rdc %s -o %t.ptx
// RUN: %ptxas -c %t.ptx -o %t.cubin
// RUN: %regdem-opt --sass --kernel=near %t.cubin | FileCheck %s --check-prefix=NEAR
// RUN: %regdem-opt --sass --kernel=far %t.cubin | FileCheck %s --check-prefix=FAR
// NEAR: kernel near: {{[0-9]+}} instructions
// NEAR-NEXT: calls _Z6pickediPi at block [[#PICKED:]]
// NEAR-NOT: does not show
// NEAR: (calls [[#PICKED]])
// FAR: kernel far: {{[0-9]+}} instructions
// FAR-NEXT: calls _Z6pickediPi at block
// FAR-NEXT: calls code that the file does not show
__device__ __noinline__ int picked(int x, int *p) {
  int l[5];
  for (int i = 0; i < 5; ++i)
    l[i] = p[i] * x;
  return l[x % 5] + l[p[3]];
}
__device__ int elsewhere(int);
extern "C" __global__ void near(int *p) { p[0] = picked(p[1], p) / p[2]; }
extern "C" __global__ void far(int *p) {
  p[0] = picked(p[1], p) + elsewhere(p[4]);
}
