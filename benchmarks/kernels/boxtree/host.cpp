//===- host.cpp - points in a box: input and reference --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

struct Point {
  float X, Y;
};
struct Box {
  float X, Y, ToX, ToY;
};

/// Puts the median of the points between First and Last, along an axis that
/// changes from level to level, at Node.
template <class Tree>
static void build(std::vector<Point> &Points, size_t First, size_t Last,
                  Tree &To, size_t Node, bool ByY) {
  size_t Middle = (First + Last) / 2;
  auto At = [&](size_t I) { return Points.begin() + std::ptrdiff_t(I); };
  std::nth_element(At(First), At(Middle), At(Last),
                   [=](const Point &A, const Point &B) {
                     return ByY ? A.Y < B.Y : A.X < B.X;
                   });
  To[Node] = Points[Middle];
  if (Last - First == 1)
    return;
  build(Points, First, Middle, To, 2 * Node + 1, !ByY);
  build(Points, Middle + 1, Last, To, 2 * Node + 2, !ByY);
}

void bench::describe(Problem &P) {
  const int Count = P.quick() ? 256 : 1 << 19;
  auto &Tree = P.input<Point>(Nodes);
  auto &Boxes = P.input<Box>(Count);
  auto &Inside = P.output<int>(Count);
  Random R = P.random(0), S = P.random(1);
  std::vector<Point> Points(Nodes);
  for (size_t I = 0; I < Points.size(); ++I)
    Points[I] = {float(R.unit(2 * I)), float(R.unit(2 * I + 1))};
  build(Points, 0, Points.size(), Tree, 0, false);
  for (size_t I = 0; I < Boxes.size(); ++I) {
    float X = float(S.unit(2 * I)), Y = float(S.unit(2 * I + 1));
    Boxes[I] = {X, Y, X + 0.03f, Y + 0.03f};
  }

  P.launch("boxtree", {unsigned(Count / BlockSize)}, {BlockSize}, Tree, Boxes,
           Inside);

  P.verify(Count, 200, 0, [=, &Boxes, &Inside](size_t T, Checker &C) {
    const Box &B = Boxes[T];
    int Found = 0;
    for (const Point &Q : Points)
      Found += Q.X >= B.X && Q.X <= B.ToX && Q.Y >= B.Y && Q.Y <= B.ToY;
    C.equal(Inside[T], Found);
  });
}
