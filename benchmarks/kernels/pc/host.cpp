//===- host.cpp - point correlation in a kd-tree: input and reference -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Trees.h"
#include "params.h"

using namespace bench;
static_assert(int(Dimensions) == int(PointDimensions));

void bench::describe(Problem &P) {
  const int Nodes = (P.quick() ? 1 << 10 : 1 << 16) - 1;
  const int QueryCount = P.quick() ? 1024 : 1 << 17;
  const int Radius = P.quick() ? 400 : 256;
  const auto Points = buildKdTree(randomPoints(Nodes, P.random(0)));
  const auto QueryPoints = randomPoints(QueryCount, P.random(1));
  auto &Tree = addPoints(P, Points);
  auto &Queries = addPoints(P, QueryPoints);
  auto &Correlated = P.output<int32_t>(QueryCount);

  P.launch("pc", {ceilDiv(QueryCount, BlockSize)}, {BlockSize}, Tree, Queries,
           Correlated, Nodes, QueryCount, float(Radius));

  P.verify(QueryCount, 1000, 0, [=, &Correlated](size_t I, Checker &C) {
    int Count = 0;
    for (const Point &Other : Points)
      Count += distance2(Other, QueryPoints[I]) <= Radius * Radius;
    C.equal(Correlated[I], Count);
  });
}
