//===- host.cpp - closest hit in a hierarchy: input and reference ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"
#include <numeric>

using namespace bench;

namespace {
using Vector = std::array<float, 3>;

struct Triangle {
  Vector Corner, Edge1, Edge2;
  float minimum(int D) const {
    return Corner[D] + std::min(0.0f, std::min(Edge1[D], Edge2[D]));
  }
  float maximum(int D) const {
    return Corner[D] + std::max(0.0f, std::max(Edge1[D], Edge2[D]));
  }
};

/// Median splits along the longest axis of the boxes' extent. Boxes are
/// widened a little, so that rounding in the slab test loses no hit.
class Hierarchy {
public:
  explicit Hierarchy(std::vector<Triangle> Scene) : Triangles(Scene) {
    Nodes.resize(NodeFloats);
    build(0, 0, Triangles.size());
  }
  std::vector<float> Nodes;
  std::vector<Triangle> Triangles;

private:
  void build(size_t Node, size_t Begin, size_t End) {
    int Axis = 0;
    float Extent[3];
    for (int D = 0; D < 3; ++D) {
      float Low = 1e30f, High = -1e30f;
      for (size_t I = Begin; I < End; ++I) {
        Low = std::min(Low, Triangles[I].minimum(D));
        High = std::max(High, Triangles[I].maximum(D));
      }
      Nodes[Node * NodeFloats + D] = Low - 1e-4f;
      Nodes[Node * NodeFloats + 4 + D] = High + 1e-4f;
      Extent[D] = High - Low;
      Axis = Extent[D] > Extent[Axis] ? D : Axis;
    }
    size_t Count = End - Begin;
    if (Count <= LeafSize) {
      Nodes[Node * NodeFloats + 3] = float(Begin);
      Nodes[Node * NodeFloats + 7] = float(Count);
      return;
    }
    auto First = Triangles.begin() + Begin;
    std::nth_element(First, First + Count / 2, Triangles.begin() + End,
                     [Axis](const Triangle &A, const Triangle &B) {
                       return A.minimum(Axis) + A.maximum(Axis) <
                              B.minimum(Axis) + B.maximum(Axis);
                     });
    size_t Left = Nodes.size() / NodeFloats;
    Nodes.resize(Nodes.size() + 2 * NodeFloats);
    Nodes[Node * NodeFloats + 3] = float(Left);
    Nodes[Node * NodeFloats + 7] = 0;
    build(Left, Begin, Begin + Count / 2);
    build(Left + 1, Begin + Count / 2, End);
  }
};

/// Distance of the ray's hit with a triangle that is widened by \p Margin (in
/// barycentric units), or Miss. Solved by Cramer's rule.
double hit(const Triangle &T, const double *Origin, const double *Direction,
           double Margin) {
  double M[3][4];
  for (int D = 0; D < 3; ++D) {
    M[D][0] = T.Edge1[D];
    M[D][1] = T.Edge2[D];
    M[D][2] = -Direction[D];
    M[D][3] = Origin[D] - T.Corner[D];
  }
  auto Determinant = [&M](int A, int B, int C) {
    return M[0][A] * (M[1][B] * M[2][C] - M[1][C] * M[2][B]) -
           M[0][B] * (M[1][A] * M[2][C] - M[1][C] * M[2][A]) +
           M[0][C] * (M[1][A] * M[2][B] - M[1][B] * M[2][A]);
  };
  double Whole = Determinant(0, 1, 2);
  double U = Determinant(3, 1, 2) / Whole, V = Determinant(0, 3, 2) / Whole;
  double Distance = Determinant(0, 1, 3) / Whole;
  bool Inside = U >= -Margin && V >= -Margin && U + V <= 1 + Margin;
  return Inside && Distance > 0 ? Distance : double(Miss);
}
} // namespace

void bench::describe(Problem &P) {
  const int TriangleCount = P.quick() ? 1000 : 100000;
  const int Count = P.quick() ? 2048 : 1 << 20;
  const double Size = P.quick() ? 0.1 : 0.02;
  Random Scene = P.random(0), Aim = P.random(1);
  std::vector<Triangle> Soup(TriangleCount);
  for (int I = 0; I < TriangleCount; ++I)
    for (int D = 0; D < 3; ++D) {
      Soup[I].Corner[D] = float(Scene.unit(I * 9ull + D));
      Soup[I].Edge1[D] = float(Scene.uniform(I * 9ull + 3 + D, -Size, Size));
      Soup[I].Edge2[D] = float(Scene.uniform(I * 9ull + 6 + D, -Size, Size));
    }
  const Hierarchy Built(std::move(Soup));

  auto &Nodes = P.input<float>(Built.Nodes.size());
  auto &Triangles = P.input<float>(size_t(TriangleCount) * 12);
  auto &Rays = P.input<float>(size_t(6) * Count);
  auto &Distances = P.output<float>(Count);
  std::copy(Built.Nodes.begin(), Built.Nodes.end(), &Nodes[0]);
  for (int I = 0; I < TriangleCount; ++I)
    for (int D = 0; D < 3; ++D) {
      Triangles[size_t(I) * 12 + D] = Built.Triangles[I].Corner[D];
      Triangles[size_t(I) * 12 + 4 + D] = Built.Triangles[I].Edge1[D];
      Triangles[size_t(I) * 12 + 8 + D] = Built.Triangles[I].Edge2[D];
    }
  // From a plane in front of the scene to random points in it.
  for (int I = 0; I < Count; ++I)
    for (int D = 0; D < 3; ++D) {
      float Origin = D == 2 ? -1.0f : float(Aim.unit(I * 6ull + D));
      Rays[size_t(D) * Count + I] = Origin;
      Rays[size_t(3 + D) * Count + I] =
          float(Aim.uniform(I * 6ull + 3 + D, 0.001, 0.999)) - Origin;
    }

  P.launch("bvh", {ceilDiv(Count, BlockSize)}, {BlockSize}, Nodes, Triangles,
           Rays, Distances, Count);

  // Rays that pass an edge within rounding may hit or miss. So the result
  // must be no farther than the nearest certain hit, and must be the distance
  // of some triangle that is hit when widened a little.
  P.verify(Count, 1000, 1e-3, [=, &Rays, &Distances](size_t I, Checker &C) {
    double Origin[3], Direction[3];
    for (int D = 0; D < 3; ++D) {
      Origin[D] = Rays[size_t(D) * Count + I];
      Direction[D] = Rays[size_t(3 + D) * Count + I];
    }
    const double Got = Distances[I];
    double Certain = Miss, Match = Miss;
    for (const Triangle &T : Built.Triangles) {
      Certain = std::min(Certain, hit(T, Origin, Direction, -1e-3));
      double Possible = hit(T, Origin, Direction, 1e-3);
      if (std::fabs(Possible - Got) < std::fabs(Match - Got))
        Match = Possible;
    }
    C.close(Got, Match, 1.0);
    C.close(std::max(Got, Certain), Certain, 1.0);
  });
}
