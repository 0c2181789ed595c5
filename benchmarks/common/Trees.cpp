//===- Trees.cpp - balanced search trees over points ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Trees.h"
#include <climits>
#include <cstdlib>

using namespace bench;

namespace {
using Iterator = std::vector<Point>::iterator;
}

static void placeKd(Iterator Begin, Iterator End, size_t Node, size_t Depth,
                    std::vector<Point> &Tree) {
  if (Begin == End)
    return;
  Iterator Middle = Begin + (End - Begin) / 2;
  size_t D = Depth % PointDimensions;
  std::nth_element(Begin, Middle, End,
                   [D](const Point &A, const Point &B) { return A[D] < B[D]; });
  Tree[Node] = *Middle;
  placeKd(Begin, Middle, 2 * Node + 1, Depth + 1, Tree);
  placeKd(Middle + 1, End, 2 * Node + 2, Depth + 1, Tree);
}

std::vector<Point> bench::buildKdTree(std::vector<Point> Points) {
  std::vector<Point> Tree(Points.size());
  placeKd(Points.begin(), Points.end(), 0, 0, Tree);
  return Tree;
}

static void placeVp(Iterator Begin, Iterator End, size_t Node,
                    std::vector<Point> &Tree, std::vector<int> &Radius2) {
  if (Begin == End)
    return;
  const Point Vantage = *Begin++;
  Tree[Node] = Vantage;
  if (Begin == End)
    return;
  Iterator Middle = Begin + (End - Begin) / 2; // first of the far half
  std::nth_element(Begin, Middle, End,
                   [&Vantage](const Point &A, const Point &B) {
                     return distance2(A, Vantage) < distance2(B, Vantage);
                   });
  Radius2[Node] = distance2(*Middle, Vantage);
  placeVp(Begin, Middle, 2 * Node + 1, Tree, Radius2);
  placeVp(Middle, End, 2 * Node + 2, Tree, Radius2);
}

std::vector<Point> bench::buildVpTree(std::vector<Point> Points,
                                      std::vector<int> &Radius2) {
  std::vector<Point> Tree(Points.size());
  Radius2.assign(Points.size(), 0);
  placeVp(Points.begin(), Points.end(), 0, Tree, Radius2);
  return Tree;
}

int bench::nearestDistance2(const std::vector<Point> &Points,
                            const Point &Query) {
  int Best = INT_MAX;
  for (const Point &P : Points)
    Best = std::min(Best, distance2(P, Query));
  return Best;
}
