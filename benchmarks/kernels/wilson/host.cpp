//===- host.cpp - hopping term of the Wilson operator: input and reference ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"
#include <complex>

using namespace bench;
using Number = std::complex<double>;

/// The gamma matrices of the DeGrand-Rossi basis.
static Number gamma(int Mu, int Row, int Column) {
  const Number I(0, 1);
  static const Number Matrices[Dimensions][Spins][Spins] = {
      {{0, 0, 0, I}, {0, 0, I, 0}, {0, -I, 0, 0}, {-I, 0, 0, 0}},
      {{0, 0, 0, -1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}},
      {{0, 0, I, 0}, {0, 0, 0, -I}, {-I, 0, 0, 0}, {0, I, 0, 0}},
      {{0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}}};
  return Matrices[Mu][Row][Column];
}

void bench::describe(Problem &P) {
  const int N = P.quick() ? 4 : 32;
  const int Extents[Dimensions] = {N, N, N, P.quick() ? 6 : 16};
  const int Sites = Extents[0] * Extents[1] * Extents[2] * Extents[3];
  auto &Links =
      P.uniform<Real>(size_t(Dimensions) * LinkReals * Sites, 0, -0.6, 0.6);
  auto &Psi = P.uniform<Real>(size_t(SpinorReals) * Sites, 1, -1, 1);
  auto &Out = P.output<Real>(size_t(SpinorReals) * Sites);

  P.launch("wilson", {unsigned(Sites / BlockSize)}, {BlockSize}, Links, Psi,
           Out, Extents[0], Extents[1], Extents[2], Extents[3]);

  double Tolerance = sizeof(Real) == 4 ? 2e-6 : 1e-14;
  P.verify(
      Sites, 10000, Tolerance, [&, Sites, Extents](size_t Site, Checker &C) {
        auto Read = [Sites](const auto &Array, size_t Component, size_t At) {
          return Number(Array[2 * Component * Sites + At],
                        Array[(2 * Component + 1) * Sites + At]);
        };
        Number Sum[Spins][Colours] = {};
        size_t Stride = 1;
        for (int Mu = 0; Mu < Dimensions; ++Mu) {
          size_t Extent = Extents[Mu], Position = Site / Stride % Extent;
          for (int Way : {+1, -1}) {
            size_t Moved = (Position + Extent + Way) % Extent;
            size_t Other = Site + (Moved - Position) * Stride;
            size_t LinkSite = Way > 0 ? Site : Other;
            for (int A = 0; A < Colours; ++A)
              for (int B = 0; B < Colours; ++B) {
                size_t Base = size_t(Mu) * Colours * Colours;
                Number U = Way > 0
                               ? Read(Links, Base + A * Colours + B, LinkSite)
                               : std::conj(Read(Links, Base + B * Colours + A,
                                                LinkSite));
                for (int S = 0; S < Spins; ++S)
                  for (int R = 0; R < Spins; ++R) {
                    Number Projector =
                        double(S == R) - double(Way) * gamma(Mu, S, R);
                    Sum[S][A] +=
                        Projector * U * Read(Psi, R * Colours + B, Other);
                  }
              }
          }
          Stride *= Extent;
        }
        for (int S = 0; S < Spins; ++S)
          for (int A = 0; A < Colours; ++A) {
            Number Got = Read(Out, S * Colours + A, Site);
            C.close(Got.real(), Sum[S][A].real(), 5.0);
            C.close(Got.imag(), Sum[S][A].imag(), 5.0);
          }
      });
}
