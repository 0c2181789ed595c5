//===- host.cpp - nearest neighbour in a kd-tree: input and reference -----===//
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
  const auto Points = buildKdTree(randomPoints(Nodes, P.random(0)));
  const auto QueryPoints = randomPoints(QueryCount, P.random(1));
  auto &Tree = addPoints(P, Points);
  auto &Queries = addPoints(P, QueryPoints);
  auto &Nearest = P.output<float>(QueryCount);

  P.launch("nn", {ceilDiv(QueryCount, BlockSize)}, {BlockSize}, Tree, Queries,
           Nearest, Nodes, QueryCount);

  P.verify(QueryCount, 1000, 0, [=, &Nearest](size_t I, Checker &C) {
    C.equal(int(Nearest[I]), nearestDistance2(Points, QueryPoints[I]));
  });
}
