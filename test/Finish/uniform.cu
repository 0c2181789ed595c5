// Arrays that ptxas addresses by uniform registers: sums with one lack its
// distance from R1 then, which accesses add, and accesses by one add R1.
// REQUIRES: ptxas, nvdisasm, clang-cuda
// RUN: %device -x cuda %s -o %t.ptx
// RUN: %ptxas %t.ptx -o %t.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t.cubin -o %t.moved | FileCheck %s
// RUN: %nvdisasm -c %t.cubin | FileCheck --check-prefix=LOCAL %s
// RUN: %nvdisasm -c %t.moved > %t.sass
// RUN: FileCheck --check-prefix=SHARED --implicit-check-not=LDL --implicit-check-not=STL %s < %t.sass

// CHECK: 'swaps': {{.*}}moved
// LOCAL: R2UR [[NEAR:UR[0-9]+]], R1
// LOCAL: UIADD3 [[FAR:UR[0-9]+]], [[NEAR]], 0x{{[0-9a-f]+}}, URZ
// LOCAL: LEA {{R[0-9]+}}, {{R[0-9]+}}{{(\.reuse)?}}, [[FAR]], 0x2
// LOCAL: LDL {{R[0-9]+}}, [UR
// SHARED: LEA {{R[0-9]+}}, {{R[0-9]+}}{{(\.reuse)?}}, R1, 0x2
// SHARED: LDS {{R[0-9]+}}, [R1+UR

__device__ __noinline__ float mean(float x, int n) {
  float s = x;
  for (int i = 0; i < n; ++i)
    s = s / (x + i) + sqrtf(s * i);
  return s;
}

extern "C" __global__ void __launch_bounds__(256)
    swaps(float *out, const int *at, int n) {
  float a[20], b[12];
  for (int i = 0; i < 20; i++)
    a[i] = out[i];
  for (int i = 0; i < 12; i++)
    b[i] = out[i + 20] * 2;
  for (int i = 0; i < n; i++) {
    int j = at[threadIdx.x + i] & 7;
    float s = a[j + 8] + a[(i & 3) + 4];
    for (int k = 0; k < 4; ++k) {
      int l = at[threadIdx.x * i + k] & 7;
      float x = a[k + 4];
      a[k + 4] = b[l];
      b[l] = x;
    }
    a[i & 3] += mean(s, i);
  }
  float s = 0;
  for (int i = 0; i < 20; i++)
    s += a[i] * (i + 1);
  for (int i = 0; i < 12; i++)
    s += b[i] * (i + 3);
  out[threadIdx.x] = s;
}
