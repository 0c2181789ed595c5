//===- host.cpp - nearest neighbours by brute force: input and reference --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

struct Float4 {
  float V[Dimensions];
};

void bench::describe(Problem &P) {
  const int QueryCount = P.quick() ? 256 : 1 << 19;
  const int PointCount = 512;
  auto &Queries = P.input<Float4>(QueryCount);
  auto &Points = P.input<Float4>(PointCount);
  auto &Distances = P.output<float>(size_t(Kept) * QueryCount);
  auto &Indices = P.output<int32_t>(size_t(Kept) * QueryCount);
  Random R = P.random(0), S = P.random(1);
  for (int I = 0; I < QueryCount; ++I)
    for (int A = 0; A < Dimensions; ++A)
      Queries[I].V[A] = float(R.unit(size_t(I) * Dimensions + A));
  for (int I = 0; I < PointCount; ++I)
    for (int A = 0; A < Dimensions; ++A)
      Points[I].V[A] = float(S.unit(size_t(I) * Dimensions + A));

  P.launch("knn16", {unsigned(QueryCount / BlockSize)}, {BlockSize}, Queries,
           Points, Distances, Indices, QueryCount, PointCount);

  // Points at much the same distance may change places: distances count.
  P.verify(QueryCount, 1000, 2e-6,
           [=, &Queries, &Points, &Distances, &Indices](size_t T, Checker &C) {
             auto Distance = [&](int I) {
               double Sum = 0;
               for (int A = 0; A < Dimensions; ++A) {
                 double D = double(Points[I].V[A]) - Queries[T].V[A];
                 Sum += D * D;
               }
               return Sum;
             };
             std::vector<double> All;
             for (int I = 0; I < PointCount; ++I)
               All.push_back(Distance(I));
             std::sort(All.begin(), All.end());
             for (int K = 0; K < Kept; ++K) {
               size_t At = size_t(K) * QueryCount + T;
               C.close(Distances[At], All[K], 0.01);
               bool Known = Indices[At] >= 0 && Indices[At] < PointCount;
               C.equal(Known, true);
               if (Known)
                 C.close(Distance(Indices[At]), All[K], 0.01);
             }
           });
}
