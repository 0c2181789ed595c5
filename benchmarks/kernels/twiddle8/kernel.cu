//===- kernel.cu - FFT of eight with twiddles -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass of a large FFT: eight complex numbers a thread are transformed and
// multiplied by powers of a root of unity. A loop around sine and cosine
// indexes the numbers.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

__device__ __forceinline__ double2 product(double2 A, double2 B) {
  return make_double2(A.x * B.x - A.y * B.y, A.x * B.y + A.y * B.x);
}

BENCH_KERNEL(BlockSize)
twiddle8(const double2 *__restrict__ In, double2 *__restrict__ Out, int Count) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  double2 V[Points];
  for (int K = 0; K < Points; ++K)
    V[K] = In[K * Count + T];
  for (int Half = Points / 2; Half; Half /= 2)
    for (int K = 0; K < Points / 2; ++K) {
      int Low = K & (Half - 1), At = (K - Low) * 2 + Low;
      double2 A = V[At], B = V[At + Half];
      double Angle = -TwoPi * Low / (2 * Half);
      V[At] = make_double2(A.x + B.x, A.y + B.y);
      V[At + Half] = product(make_double2(A.x - B.x, A.y - B.y),
                             make_double2(cos(Angle), sin(Angle)));
    }
  for (int K = 0; K < Points; ++K) {
    int From = (K & 1) << 2 | (K & 2) | K >> 2;
    double Angle = -TwoPi * K * T / (double(Points) * Count);
    Out[K * Count + T] = product(V[From], make_double2(cos(Angle), sin(Angle)));
  }
}

BENCH_EXPORT(twiddle8)
