//===- kernel.cu - batched symmetric eigenproblems ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eigenvalues and eigenvectors of a 6x6 symmetric matrix a thread, by the
// cyclic Jacobi method (Golub and Van Loan, "Matrix Computations", 8.5) with a
// fixed number of sweeps. Entry (I, J) with I >= J is at
// (I (I + 1) / 2 + J) * Matrices + t.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
jacobi6(const float *__restrict__ Input, float *__restrict__ Values,
        float *__restrict__ Vectors, int Matrices) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Matrices)
    return;
  float A[Size][Size], V[Size][Size];
#pragma unroll
  for (int I = 0; I < Size; ++I)
#pragma unroll
    for (int J = 0; J < Size; ++J) {
      if (J <= I)
        A[I][J] = Input[(I * (I + 1) / 2 + J) * Matrices + T];
      V[I][J] = I == J ? 1.0f : 0.0f;
    }

#pragma unroll 1
  for (int Sweep = 0; Sweep < Sweeps; ++Sweep) {
#pragma unroll
    for (int P = 1; P < Size; ++P)
#pragma unroll
      for (int Q = 0; Q < P; ++Q) {
        float Off = A[P][Q], Gap = A[P][P] - A[Q][Q];
        // tan of the angle, the smaller root; no rotation if Off is zero.
        float Denominator =
            fabsf(Gap) + sqrtf(Gap * Gap + 4.0f * Off * Off) + 1e-30f;
        float Tan = (Gap < 0.0f ? -2.0f : 2.0f) * Off / Denominator;
        float Cos = rsqrtf(1.0f + Tan * Tan), Sin = Tan * Cos;
        A[P][P] += Tan * Off;
        A[Q][Q] -= Tan * Off;
        A[P][Q] = 0.0f;
#pragma unroll
        for (int K = 0; K < Size; ++K) {
          if (K != P && K != Q) {
            float &AtP = K < P ? A[P][K] : A[K][P];
            float &AtQ = K < Q ? A[Q][K] : A[K][Q];
            float OldP = AtP, OldQ = AtQ;
            AtP = Cos * OldP + Sin * OldQ;
            AtQ = Cos * OldQ - Sin * OldP;
          }
          float OldP = V[K][P], OldQ = V[K][Q];
          V[K][P] = Cos * OldP + Sin * OldQ;
          V[K][Q] = Cos * OldQ - Sin * OldP;
        }
      }
  }

#pragma unroll
  for (int I = 0; I < Size; ++I) {
    Values[I * Matrices + T] = A[I][I];
#pragma unroll
    for (int J = 0; J < Size; ++J)
      Vectors[(I * Size + J) * Matrices + T] = V[I][J];
  }
}

BENCH_EXPORT(jacobi6)
