// Frames move, addresses in them computed or not.
// REQUIRES: ptxas, clang-cuda
// DEFINE: %{finish} = %regdem-finish --min-blocks=1 --all --print
// RUN: %device %s -o %t.ptx
// RUN: sed '/^\.maxntid/a .maxnreg 32' %t.ptx > %t.small.ptx
// RUN: %ptxas %t.small.ptx -o %t.cubin
// RUN: %{finish} %t.cubin -o %t.moved | FileCheck %s
// RUN: %device -DCOMPUTES %s -o %t.ptx
// RUN: %ptxas %t.ptx -o %t.cubin
// RUN: %{finish} %t.cubin -o %t.moved | FileCheck --check-prefix=COMPUTES %s

// CHECK: 'spills': {{.*}}moved
// COMPUTES: 'computes': {{.*}}moved
#ifdef COMPUTES
extern "C" __global__ void __launch_bounds__(64)
    computes(const int *in, int *out, int n) {
  int v[16];
  for (int i = 0; i < 16; ++i)
    v[i] = in[i];
  for (int i = 0; i < n; ++i)
    v[in[i] & 15] += i;
  out[threadIdx.x] = v[in[n] & 15];
}
#else
extern "C" __global__ void __launch_bounds__(64)
    spills(const float *in, float *out) {
  float v[48];
#pragma unroll
  for (int i = 0; i < 48; ++i)
    v[i] = in[threadIdx.x + i * 64];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 48; ++i)
    sum = sum * v[i] + v[47 - i];
  out[threadIdx.x] = sum;
}
#endif
