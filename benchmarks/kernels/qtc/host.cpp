//===- host.cpp - quality-threshold clustering: input and reference -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Points = P.quick() ? 40 : 40000;
  const int Extent = P.quick() ? 96 : 2048; // about 140 candidates a seed
  const int Threshold = 97 * 97;
  const int Window = P.quick() ? 100 : 98;
  auto &X = P.input<float>(Points);
  auto &Y = P.input<float>(Points);
  auto &Candidates = P.input<int32_t>(size_t(Points) * MaxDegree);
  auto &Degree = P.input<int32_t>(Points);
  auto &Cardinality = P.output<int32_t>(Points);
  auto &Diameter = P.output<float>(Points);
  Random RX = P.random(0), RY = P.random(1);
  for (int I = 0; I < Points; ++I) {
    X[I] = float(RX.below(I, Extent));
    Y[I] = float(RY.below(I, Extent));
  }
  auto Distance2 = [&X, &Y](size_t A, size_t B) {
    int64_t DX = int64_t(X[A]) - int64_t(X[B]);
    int64_t DY = int64_t(Y[A]) - int64_t(Y[B]);
    return DX * DX + DY * DY;
  };
  // Candidates in the order of their index, found through a grid of cells.
  const int Side = Extent / Window + 1;
  std::vector<std::vector<int>> Grid(size_t(Side) * Side);
  for (int I = 0; I < Points; ++I)
    Grid[size_t(Y[I]) / Window * Side + size_t(X[I]) / Window].push_back(I);
  parallelFor(Points, [&](size_t Begin, size_t End) {
    for (size_t I = Begin; I < End; ++I) {
      std::vector<int> Near;
      int CX = int(X[I]) / Window, CY = int(Y[I]) / Window;
      for (int GY = std::max(0, CY - 1); GY <= std::min(Side - 1, CY + 1); ++GY)
        for (int GX = std::max(0, CX - 1); GX <= std::min(Side - 1, CX + 1);
             ++GX)
          for (int Other : Grid[size_t(GY) * Side + GX])
            if (size_t(Other) != I && Distance2(I, Other) <= Threshold)
              Near.push_back(Other);
      std::sort(Near.begin(), Near.end());
      Near.resize(std::min<size_t>(Near.size(), MaxDegree));
      Degree[I] = int(Near.size());
      std::copy(Near.begin(), Near.end(), &Candidates[I * MaxDegree]);
    }
  });

  P.launch("qtc", {unsigned(Points)}, {BlockSize}, X, Y, Candidates, Degree,
           float(Threshold), Cardinality, Diameter);

  P.verify(Points, 1000, 0, [&, Distance2](size_t I, Checker &C) {
    std::vector<size_t> Members{I}, Rest;
    for (int D = 0; D < Degree[I]; ++D)
      Rest.push_back(Candidates[I * MaxDegree + D]);
    int64_t Largest = 0;
    while (!Rest.empty()) {
      size_t Best = 0;
      int64_t BestDistance = INT64_MAX;
      for (size_t R = 0; R < Rest.size(); ++R) {
        int64_t Farthest = 0;
        for (size_t M : Members)
          Farthest = std::max(Farthest, Distance2(M, Rest[R]));
        if (Farthest < BestDistance) {
          BestDistance = Farthest;
          Best = R;
        }
      }
      if (BestDistance > Threshold)
        break;
      Largest = std::max(Largest, BestDistance);
      Members.push_back(Rest[Best]);
      Rest.erase(Rest.begin() + Best);
    }
    C.equal(Cardinality[I], int32_t(Members.size()));
    C.equal(int64_t(Diameter[I]), Largest);
  });
}
