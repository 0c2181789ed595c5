//===- host.cpp - nearest point of each octant: input and reference -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

struct Int4 {
  int X, Y, Z, W;
};

void bench::describe(Problem &P) {
  const int QueryCount = P.quick() ? 256 : 1 << 18;
  const int PointCount = P.quick() ? 64 : 1024;
  const int Side = 4096;
  auto &Points = P.input<Int4>(PointCount);
  auto &Queries = P.input<Int4>(QueryCount);
  auto &Nearest = P.output<int>(size_t(Octants) * QueryCount);
  Random R = P.random(0), S = P.random(1);
  auto Fill = [&](Array<Int4> &To, Random &From) {
    for (size_t I = 0; I < To.size(); ++I)
      To[I] = {int(From.unit(3 * I) * Side), int(From.unit(3 * I + 1) * Side),
               int(From.unit(3 * I + 2) * Side), 0};
  };
  Fill(Points, R);
  Fill(Queries, S);

  P.launch("octants", {unsigned(QueryCount / BlockSize)}, {BlockSize}, Points,
           Queries, Nearest, QueryCount, PointCount);

  P.verify(QueryCount, 1000, 0,
           [=, &Points, &Queries, &Nearest](size_t T, Checker &C) {
             for (int K = 0; K < Octants; ++K) {
               long Least = 0x7fffffff;
               int Want = -1;
               for (int I = 0; I < PointCount; ++I) {
                 long X = Points[I].X - Queries[T].X;
                 long Y = Points[I].Y - Queries[T].Y;
                 long Z = Points[I].Z - Queries[T].Z;
                 long D = X * X + Y * Y + Z * Z;
                 int Octant =
                     (X > 0 ? 1 : 0) + (Y > 0 ? 2 : 0) + (Z > 0 ? 4 : 0);
                 if (Octant == K && D < Least) {
                   Least = D;
                   Want = I;
                 }
               }
               C.equal(Nearest[size_t(K) * QueryCount + T], Want);
             }
           });
}
