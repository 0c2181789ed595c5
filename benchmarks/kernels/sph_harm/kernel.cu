//===- kernel.cu - power spectrum of an atom's neighbours -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptor of an atom's surroundings as in machine-learned potentials
// (Bartok, Kondor, Csanyi, "On representing chemical environments", 2013): sum
// real spherical harmonics up to degree 6 over the neighbours, weighted by a
// smooth cut-off, then p_l = sum over m of c_lm^2. One atom a thread, 49 sums
// in registers. Neighbour n of atom t is at n * Atoms + t.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
sph_harm(const float4 *__restrict__ Positions, const int *__restrict__ Lists,
         float *__restrict__ Power, int Atoms) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Atoms)
    return;
  float4 Own = Positions[T];
  float Sum[Functions];
#pragma unroll
  for (int I = 0; I < Functions; ++I)
    Sum[I] = 0;

#pragma unroll 1
  for (int N = 0; N < Neighbours; ++N) {
    float4 Other = Positions[Lists[N * Atoms + T]];
    float X = Other.x - Own.x, Y = Other.y - Own.y, Z = Other.z - Own.z;
    float Square = X * X + Y * Y + Z * Z;
    float Inverse = rsqrtf(Square);
    float Part = fmaxf(1.0f - Square * (1.0f / (Cutoff * Cutoff)), 0.0f);
    float Weight = Part * Part * Other.w;
    X *= Inverse, Y *= Inverse, Z *= Inverse;

    // Real and imaginary part of (x + i y)^m times P_l^m / sin^m, which is
    // found by recurrence: P_m^m = (2m - 1)!!, P_l^m = ((2l - 1) z P_(l-1)^m -
    // (l + m - 1) P_(l-2)^m) / (l - m).
    float Re = Weight, Im = 0, Start = 1;
#pragma unroll
    for (int M = 0; M <= Degree; ++M) {
      float P = Start, Before = 0;
#pragma unroll
      for (int L = M; L <= Degree; ++L) {
        Sum[L * L + L + M] += P * Re;
        if (M > 0)
          Sum[L * L + L - M] += P * Im;
        float Next = (float(2 * L + 1) * Z * P - float(L + M) * Before) *
                     (1.0f / float(L + 1 - M));
        Before = P;
        P = Next;
      }
      Start *= float(2 * M + 1);
      float OldRe = Re;
      Re = X * Re - Y * Im;
      Im = X * Im + Y * OldRe;
    }
  }

#pragma unroll
  for (int L = 0; L <= Degree; ++L) {
    float Total = Sum[L * L + L] * Sum[L * L + L], Ratio = 1;
#pragma unroll
    for (int M = 1; M <= L; ++M) {
      Ratio *= 1.0f / float((L + M) * (L - M + 1)); // (l - m)! / (l + m)!
      float Plus = Sum[L * L + L + M], Minus = Sum[L * L + L - M];
      Total += 2.0f * Ratio * (Plus * Plus + Minus * Minus);
    }
    Power[L * Atoms + T] = Total;
  }
}

BENCH_EXPORT(sph_harm)
