//===- kernel.cu - hopping term of the Wilson operator --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lattice QCD's Wilson hopping term (Wilson, "Confinement of quarks", 1974):
//   out(x) = sum over mu of (1 - g_mu) U_mu(x) psi(x + mu)
//                         + (1 + g_mu) U_mu(x - mu)^H psi(x - mu)
// with 4x3 complex spinors, SU(3)-like links and periodic boundaries. One
// site a thread; projections 1 -+ g_mu have rank two, so only two of the four
// spin components are multiplied by the link (DeGrand-Rossi basis).
// Component c of site s is stored at c * Sites + s.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

struct Complex {
  Real Re, Im;
};

__device__ __forceinline__ Complex operator+(Complex A, Complex B) {
  return {A.Re + B.Re, A.Im + B.Im};
}

__device__ __forceinline__ Complex negate(Complex A) { return {-A.Re, -A.Im}; }

/// i^K A
template <int K> __device__ __forceinline__ Complex timesI(Complex A) {
  if constexpr (K % 4 == 0)
    return A;
  else if constexpr (K % 4 == 1)
    return {-A.Im, A.Re};
  else if constexpr (K % 4 == 2)
    return negate(A);
  else
    return {A.Im, -A.Re};
}

/// Row s < 2 of g_mu has a single entry i^power in column 2 + column(s).
template <int Mu, int Row> __device__ constexpr int column() {
  return Mu < 2 ? 1 - Row : Row;
}
template <int Mu, int Row> __device__ constexpr int power() {
  constexpr int Powers[4][2] = {{1, 1}, {2, 0}, {1, 3}, {0, 0}};
  return Powers[Mu][Row];
}

__device__ __forceinline__ Complex load(const Real *__restrict__ Data,
                                        int Component, int Site, int Sites) {
  return {Data[(2 * Component) * Sites + Site],
          Data[(2 * Component + 1) * Sites + Site]};
}

/// One term of the sum: direction \p Mu, to the next or the previous site.
template <int Mu, bool Forward>
__device__ __forceinline__ void
hop(const Real *__restrict__ Links, const Real *__restrict__ Psi, int LinkSite,
    int Site, int Sites, Complex (&Sum)[Spins][Colours]) {
  // (1 -+ g_mu): -1 = i^2 forward, +1 = i^0 backward.
  constexpr int Sign = Forward ? 2 : 0;
  Complex Half[2][Colours];
#pragma unroll
  for (int C = 0; C < Colours; ++C) {
    Half[0][C] = load(Psi, C, Site, Sites) +
                 timesI<power<Mu, 0>() + Sign>(load(
                     Psi, (2 + column<Mu, 0>()) * Colours + C, Site, Sites));
    Half[1][C] = load(Psi, Colours + C, Site, Sites) +
                 timesI<power<Mu, 1>() + Sign>(load(
                     Psi, (2 + column<Mu, 1>()) * Colours + C, Site, Sites));
  }
  Complex Turned[2][Colours] = {};
#pragma unroll
  for (int Row = 0; Row < Colours; ++Row)
#pragma unroll
    for (int Column = 0; Column < Colours; ++Column) {
      int Entry = Forward ? Row * Colours + Column : Column * Colours + Row;
      Complex U =
          load(Links + size_t(Mu) * LinkReals * Sites, Entry, LinkSite, Sites);
      if (!Forward)
        U.Im = -U.Im;
#pragma unroll
      for (int S = 0; S < 2; ++S) {
        Complex V = Half[S][Column];
        Turned[S][Row].Re += U.Re * V.Re - U.Im * V.Im;
        Turned[S][Row].Im += U.Re * V.Im + U.Im * V.Re;
      }
    }
  // g_mu is Hermitian: its lower left block is the adjoint of the upper right.
#pragma unroll
  for (int C = 0; C < Colours; ++C) {
    Sum[0][C] = Sum[0][C] + Turned[0][C];
    Sum[1][C] = Sum[1][C] + Turned[1][C];
    Complex &Lower0 = Sum[2 + column<Mu, 0>()][C];
    Complex &Lower1 = Sum[2 + column<Mu, 1>()][C];
    Lower0 = Lower0 + timesI<4 - power<Mu, 0>() + Sign>(Turned[0][C]);
    Lower1 = Lower1 + timesI<4 - power<Mu, 1>() + Sign>(Turned[1][C]);
  }
}

BENCH_KERNEL(BlockSize)
wilson(const Real *__restrict__ Links, const Real *__restrict__ Psi,
       Real *__restrict__ Out, int NX, int NY, int NZ, int NT) {
  int Site = blockIdx.x * BlockSize + threadIdx.x;
  int Sites = NX * NY * NZ * NT;
  int StrideY = NX, StrideZ = NX * NY, StrideT = NX * NY * NZ;
  int X = Site % NX, Y = Site / StrideY % NY;
  int Z = Site / StrideZ % NZ, T = Site / StrideT;

  Complex Sum[Spins][Colours] = {};
  int Next, Last;
#define HOP_BOTH_WAYS(Mu, Coordinate, Extent, Stride)                          \
  Next = Site + (Coordinate + 1 == Extent ? 1 - Extent : 1) * (Stride);        \
  Last = Site + (Coordinate == 0 ? Extent - 1 : -1) * (Stride);                \
  hop<Mu, true>(Links, Psi, Site, Next, Sites, Sum);                           \
  hop<Mu, false>(Links, Psi, Last, Last, Sites, Sum);
  HOP_BOTH_WAYS(0, X, NX, 1)
  HOP_BOTH_WAYS(1, Y, NY, StrideY)
  HOP_BOTH_WAYS(2, Z, NZ, StrideZ)
  HOP_BOTH_WAYS(3, T, NT, StrideT)
#undef HOP_BOTH_WAYS

#pragma unroll
  for (int S = 0; S < Spins; ++S)
#pragma unroll
    for (int C = 0; C < Colours; ++C) {
      Out[(2 * (S * Colours + C)) * Sites + Site] = Sum[S][C].Re;
      Out[(2 * (S * Colours + C) + 1) * Sites + Site] = Sum[S][C].Im;
    }
}

BENCH_EXPORT(wilson)
