//===- host.cpp - lattice Boltzmann step: input and reference -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int NX = P.quick() ? 16 : 96, NY = P.quick() ? 8 : 64;
  const int NZ = P.quick() ? 8 : sizeof(Real) == 4 ? 128 : 64;
  const int Sites = NX * NY * NZ;
  auto &From = P.uniform<Real>(size_t(Directions) * Sites, 0, 0.02, 0.08);
  auto &To = P.output<Real>(size_t(Directions) * Sites);
  const Real Tau = Real(0.6);
  for (int I = 0; I < 3; ++I) // one launch is short
    P.launch("lbm", {unsigned(Sites / BlockSize)}, {BlockSize}, From, To, NX,
             NY, NZ, Tau);

  // The order of the velocities: as few as possible are written down.
  static const int Velocities[10][3] = {
      {0, 0, 0},  {1, 0, 0}, {0, 1, 0},  {0, 0, 1}, {1, 1, 0},
      {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}};
  P.verify(Sites, 20000, sizeof(Real) == 4 ? 5e-6 : 1e-13,
           [=, &From, &To](size_t Site, Checker &C) {
             const int Extents[3] = {NX, NY, NZ};
             const int At[3] = {int(Site % NX), int(Site / NX % NY),
                                int(Site / NX / NY)};
             double F[Directions], E[Directions], V[Directions][3];
             double Density = 0, Momentum[3] = {}, Stress[3][3] = {}, Norm = 0;
             for (int Q = 0; Q < Directions; ++Q) {
               size_t Source = 0;
               for (int A = 2; A >= 0; --A) {
                 V[Q][A] =
                     Velocities[(Q + 1) / 2][A] * (Q && Q % 2 == 0 ? -1 : 1);
                 Source = Source * Extents[A] +
                          (At[A] + Extents[A] - int(V[Q][A])) % Extents[A];
               }
               F[Q] = From[size_t(Q) * Sites + Source];
               Density += F[Q];
               for (int A = 0; A < 3; ++A)
                 Momentum[A] += F[Q] * V[Q][A];
             }
             for (int Q = 0; Q < Directions; ++Q) {
               double Along = 0, Square = 0, Length = 0;
               for (int A = 0; A < 3; ++A) {
                 Along += V[Q][A] * Momentum[A] / Density;
                 Square += Momentum[A] * Momentum[A] / Density / Density;
                 Length += V[Q][A] * V[Q][A];
               }
               double Weight = (Length == 0 ? 12 : Length == 1 ? 2 : 1) / 36.0;
               E[Q] = Weight * Density *
                      (1 + Along / (1 / 3.0) + Along * Along / (2 / 9.0) -
                       Square / (2 / 3.0));
               for (int A = 0; A < 3; ++A)
                 for (int B = 0; B < 3; ++B)
                   Stress[A][B] += V[Q][A] * V[Q][B] * (F[Q] - E[Q]);
             }
             for (auto &Row : Stress)
               for (double S : Row)
                 Norm += S * S;
             double Omega =
                 2 / (double(Tau) + std::sqrt(double(Tau) * Tau +
                                              double(Smagorinsky) / Density *
                                                  std::sqrt(2 * Norm)));
             for (int Q = 0; Q < Directions; ++Q)
               C.close(To[size_t(Q) * Sites + Site],
                       (1 - Omega) * F[Q] + Omega * E[Q], 0.1);
           });
}
