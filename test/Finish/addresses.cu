// Frames of which code takes generic addresses, to pass them on as references:
// nothing is left in local memory, and the window is shared memory's.
// REQUIRES: ptxas, nvdisasm, clang-cuda
// RUN: %device -x cuda %s -o %t.ptx
// RUN: %ptxas %t.ptx -o %t.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t.cubin -o %t.moved | FileCheck %s
// RUN: %nvdisasm -c %t.cubin | FileCheck --check-prefix=LOCAL %s
// RUN: %nvdisasm -c %t.moved > %t.sass
// RUN: FileCheck --check-prefix=SHARED --implicit-check-not=LDL --implicit-check-not=STL --implicit-check-not="c[0x0][0x24]" %s < %t.sass

// CHECK-DAG: 'references': {{.*}}moved
// CHECK-DAG: 'loop': {{.*}}moved
// CHECK-DAG: 'several': {{.*}}moved
// LOCAL-DAG: LDC {{R[0-9]+}}, c[0x0][0x24]
// LOCAL-DAG: ULDC {{UR[0-9]+}}, c[0x0][0x24]
// SHARED-DAG: S2R {{R[0-9]+}}, SR_SWINHI
// SHARED-DAG: UMOV {{UR[0-9]+}}, UR62
// SHARED-DAG: S2UR UR62, SR_SWINHI

struct Vector {
  float x, y, z, w;
};

__device__ __noinline__ void turn(Vector &to, const Vector &by, float angle) {
  float x = to.x * by.w + to.y * angle, y = to.y * by.x - to.x * angle;
  to.z = sqrtf(x * x + y * y + by.z) / (by.y + 2.0f);
  to.x = x / (to.z + 3.0f);
  to.y = y / (to.w + 4.0f);
  to.w = to.w * angle / (x + 5.0f);
}

extern "C" __global__ void __launch_bounds__(128)
    references(float *out, const Vector *in, int n) {
  unsigned t = blockIdx.x * 128 + threadIdx.x;
  Vector a = in[t], b = in[t + n];
  for (int i = 0; i < n; ++i) {
    turn(a, b, out[i]);
    turn(b, a, out[i + n]);
  }
  out[t] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
}

__device__ __noinline__ float sum(const Vector &of) {
  float result = of.x + of.y;
  for (int i = 0; i < 8; ++i)
    result = result / (of.z + i) + sqrtf(of.w * result + 1.0f);
  return result;
}

extern "C" __global__ void __launch_bounds__(128)
    loop(float *out, const Vector *in) {
  unsigned t = blockIdx.x * 128 + threadIdx.x;
  float result = 0;
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    Vector a = in[t];
    a.x *= 8 << i;
    result += sum(a) / (1 << i);
  }
  out[t] = result;
}

struct Complex {
  double re, im;
};

__device__ __noinline__ void multiply(const Complex *a, const Complex *b,
                                      Complex *to) {
  for (int i = 0; i < 2; ++i) {
    to[i].re = a[i].re * b[i].re - a[i].im * b[i].im;
    to[i].im = a[i].re * b[i].im + a[i].im * b[i].re + 0.5;
  }
}

extern "C" __global__ void __launch_bounds__(128)
    several(double *out, const Complex *in) {
  unsigned t = blockIdx.x * 128 + threadIdx.x;
  Complex w[3][2];
  for (int i = 0; i < 2; ++i) {
    w[0][i] = in[t + i * 128];
    w[1][i] = in[t + i * 128 + 256];
  }
  multiply(w[0], w[1], w[2]);
  out[t] = w[2][0].re + w[2][1].im;
}
