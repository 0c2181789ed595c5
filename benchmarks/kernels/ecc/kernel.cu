//===- kernel.cu - elliptic-curve arithmetic ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inner loop of a scalar multiplication on a curve y^2 = x^3 - 3 x + b over
// a 256-bit prime field: double a point in Jacobian coordinates (formulas
// dbl-2001-b of Bernstein and Lange's "Explicit-Formulas Database"), with
// Montgomery multiplication (Koc, Acar, Kaliski, "Analyzing and comparing
// Montgomery multiplication algorithms", 1996: coarsely integrated operand
// scanning). Limb l of coordinate c of point t is at (c * Limbs + l) * Points +
// t.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

struct Field {
  unsigned L[Limbs];
};

__device__ __forceinline__ constexpr unsigned prime(int I) {
  constexpr unsigned Table[Limbs] = PRIME_LIMBS;
  return Table[I];
}

/// \p A less the prime if that is not negative; \p Carry is limb 8 of A.
__device__ __forceinline__ Field reduce(const Field &A, unsigned Carry) {
  Field Less;
  long long Borrow = 0;
#pragma unroll
  for (int I = 0; I < Limbs; ++I) {
    Borrow += (long long)A.L[I] - prime(I);
    Less.L[I] = unsigned(Borrow);
    Borrow >>= 32;
  }
  bool Keep = (long long)Carry + Borrow < 0;
#pragma unroll
  for (int I = 0; I < Limbs; ++I)
    Less.L[I] = Keep ? A.L[I] : Less.L[I];
  return Less;
}

__device__ __forceinline__ Field operator+(const Field &A, const Field &B) {
  Field Sum;
  unsigned long long Carry = 0;
#pragma unroll
  for (int I = 0; I < Limbs; ++I) {
    Carry += (unsigned long long)A.L[I] + B.L[I];
    Sum.L[I] = unsigned(Carry);
    Carry >>= 32;
  }
  return reduce(Sum, unsigned(Carry));
}

__device__ __forceinline__ Field operator-(const Field &A, const Field &B) {
  Field Difference;
  long long Borrow = 0;
#pragma unroll
  for (int I = 0; I < Limbs; ++I) {
    Borrow += (long long)A.L[I] - B.L[I];
    Difference.L[I] = unsigned(Borrow);
    Borrow >>= 32;
  }
  unsigned Mask = unsigned(Borrow); // all ones if A < B: add the prime
  unsigned long long Carry = 0;
#pragma unroll
  for (int I = 0; I < Limbs; ++I) {
    Carry += (unsigned long long)Difference.L[I] + (prime(I) & Mask);
    Difference.L[I] = unsigned(Carry);
    Carry >>= 32;
  }
  return Difference;
}

/// A B / 2^256 modulo the prime.
__device__ __forceinline__ Field operator*(const Field &A, const Field &B) {
  unsigned Sum[Limbs + 2] = {};
#pragma unroll
  for (int I = 0; I < Limbs; ++I) {
    unsigned long long Carry = 0;
#pragma unroll
    for (int J = 0; J < Limbs; ++J) {
      Carry += (unsigned long long)A.L[J] * B.L[I] + Sum[J];
      Sum[J] = unsigned(Carry);
      Carry >>= 32;
    }
    Carry += Sum[Limbs];
    Sum[Limbs] = unsigned(Carry);
    Sum[Limbs + 1] = unsigned(Carry >> 32);
    unsigned Factor = Sum[0]; // times 1, see params.h
    Carry = 0;
#pragma unroll
    for (int J = 0; J < Limbs; ++J) {
      Carry += (unsigned long long)Factor * prime(J) + Sum[J];
      if (J > 0)
        Sum[J - 1] = unsigned(Carry);
      Carry >>= 32;
    }
    Carry += Sum[Limbs];
    Sum[Limbs - 1] = unsigned(Carry);
    Sum[Limbs] = Sum[Limbs + 1] + unsigned(Carry >> 32);
  }
  Field Result;
#pragma unroll
  for (int I = 0; I < Limbs; ++I)
    Result.L[I] = Sum[I];
  return reduce(Result, Sum[Limbs]);
}

__device__ __forceinline__ Field load(const unsigned *__restrict__ Data,
                                      int Coordinate, int T, int Points) {
  Field Result;
#pragma unroll
  for (int I = 0; I < Limbs; ++I)
    Result.L[I] = Data[(Coordinate * Limbs + I) * Points + T];
  return Result;
}

BENCH_KERNEL(BlockSize)
ecc(const unsigned *__restrict__ Starts, unsigned *__restrict__ Results,
    int Points) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Points)
    return;
  Field X = load(Starts, 0, T, Points), Y = load(Starts, 1, T, Points);
  Field Z = load(Starts, 2, T, Points);

#pragma unroll 1
  for (int Step = 0; Step < Steps; ++Step) {
    {
      Field Delta = Z * Z, Gamma = Y * Y;
      Field Beta = X * Gamma;
      Field Alpha = (X - Delta) * (X + Delta);
      Alpha = Alpha + Alpha + Alpha;
      Field Beta2 = Beta + Beta, Beta4 = Beta2 + Beta2;
      Field YZ = Y + Z;
      Z = YZ * YZ - Gamma - Delta;
      X = Alpha * Alpha - Beta4 - Beta4;
      Field Gamma2 = Gamma * Gamma;
      Gamma2 = Gamma2 + Gamma2;
      Gamma2 = Gamma2 + Gamma2;
      Y = Alpha * (Beta4 - X) - Gamma2 - Gamma2;
    }
  }

#pragma unroll
  for (int I = 0; I < Limbs; ++I) {
    Results[I * Points + T] = X.L[I];
    Results[(Limbs + I) * Points + T] = Y.L[I];
    Results[(2 * Limbs + I) * Points + T] = Z.L[I];
  }
}

BENCH_EXPORT(ecc)
