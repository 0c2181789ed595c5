//===- host.cpp - values at the nodes of an element: input and reference --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Elements = P.quick() ? 256 : 1 << 20;
  const int Points = P.quick() ? 256 : 1 << 18;
  auto &At = P.input<double>(size_t(Points) * Fields);
  auto &Node = P.input<int>(size_t(Elements) * Nodes);
  auto &Out = P.output<double>(size_t(Elements) * Fields);
  Random R = P.random(0), S = P.random(1);
  for (size_t I = 0; I < At.size(); ++I)
    At[I] = R.unit(I);
  for (size_t I = 0; I < Node.size(); ++I)
    Node[I] = int(S.unit(I) * Points);

  P.launch("fe_nodes", {unsigned(Elements / BlockSize)}, {BlockSize}, At, Node,
           Out, Elements);

  P.verify(Elements, 1000, 1e-12, [=, &At, &Node, &Out](size_t T, Checker &C) {
    auto Value = [&](int N, int K) {
      return At[size_t(Node[size_t(N) * Elements + T]) * Fields + K];
    };
    for (int K = 0; K < Fields; ++K) {
      double Sum = 0;
      for (int Face = 0; Face < Faces; ++Face)
        for (int N = 0; N < Nodes; ++N) {
          int Bit = 1 << (Face / 2);
          if (((N & Bit) != 0) == (Face % 2 == 1))
            Sum += Value(N, K) / (Value(N ^ Bit, (K + Face) % 4) + 4);
        }
      C.close(Out[size_t(K) * Elements + T], Sum, 1);
    }
  });
}
