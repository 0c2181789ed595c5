//===- host.cpp - vantage-point tree: input and reference -----------------===//
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
  const int QueryCount = P.quick() ? 960 : 192 * 640;
  std::vector<int> Radius2;
  const auto Points = buildVpTree(randomPoints(Nodes, P.random(0)), Radius2);
  const auto QueryPoints = randomPoints(QueryCount, P.random(1));
  auto &Tree = addPoints(P, Points);
  auto &Radii = P.input<float>(Nodes);
  auto &Queries = addPoints(P, QueryPoints);
  auto &Nearest = P.output<float>(QueryCount);
  for (int I = 0; I < Nodes; ++I)
    Radii[I] = float(std::sqrt(double(Radius2[I])));

  P.launch("vp", {ceilDiv(QueryCount, BlockSize)}, {BlockSize}, Tree, Radii,
           Queries, Nearest, Nodes, QueryCount);

  // Rounded roots may hide a point that is nearer by less than the tolerance.
  P.verify(QueryCount, 1000, 1e-5, [=, &Nearest](size_t I, Checker &C) {
    double Want = std::sqrt(double(nearestDistance2(Points, QueryPoints[I])));
    C.close(Nearest[I], Want, 100.0);
  });
}
