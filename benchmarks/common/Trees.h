//===- Trees.h - balanced search trees over points --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host-side construction of the kd-tree and the vantage-point tree that the
// traversal benchmarks search. Both are complete binary trees in heap order
// (children of node i: 2i + 1 and 2i + 2) with one point in each node. Points
// have small integer coordinates, so that squared distances are exact in
// single precision.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COMMON_TREES_H
#define BENCHMARKS_COMMON_TREES_H

#include "common/Problem.h"
#include <array>
#include <vector>

namespace bench {

enum {
  PointDimensions = 7,
  PointRange = 1024 ///< coordinates are integers of [0, PointRange)
};

using Point = std::array<int, PointDimensions>;

inline std::vector<Point> randomPoints(size_t Count, const Random &R) {
  std::vector<Point> Points(Count);
  for (size_t I = 0; I < Count; ++I)
    for (size_t D = 0; D < PointDimensions; ++D)
      Points[I][D] = int(R.below(I * PointDimensions + D, PointRange));
  return Points;
}

inline int distance2(const Point &A, const Point &B) {
  int Sum = 0;
  for (size_t D = 0; D < PointDimensions; ++D)
    Sum += (A[D] - B[D]) * (A[D] - B[D]);
  return Sum;
}

/// Adds an input array with coordinate d of point i at d * Points.size() + i.
inline Array<float> &addPoints(Problem &P, const std::vector<Point> &Points) {
  auto &Result = P.input<float>(Points.size() * PointDimensions);
  for (size_t D = 0; D < PointDimensions; ++D)
    for (size_t I = 0; I < Points.size(); ++I)
      Result[D * Points.size() + I] = float(Points[I][D]);
  return Result;
}

/// Orders \p Points, 2^k - 1 of them, as a kd-tree: the root's two subtrees
/// lie on either side of it in dimension depth modulo PointDimensions. Equal
/// coordinates may lie on both sides.
std::vector<Point> buildKdTree(std::vector<Point> Points);

/// Orders \p Points, 2^k - 1 of them, as a vantage-point tree: no point of the
/// left subtree is farther from the root than Radius2 of the root (a squared
/// distance), no point of the right one nearer.
std::vector<Point> buildVpTree(std::vector<Point> Points,
                               std::vector<int> &Radius2);

/// Squared distance from \p Query to the nearest of \p Points, by trying all.
int nearestDistance2(const std::vector<Point> &Points, const Point &Query);

} // namespace bench

#endif // BENCHMARKS_COMMON_TREES_H
