//===- host.cpp - vectors by element: input and reference -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

struct Float4 {
  float V[Lanes];
};

void bench::describe(Problem &P) {
  const int Count = P.quick() ? 256 : 1 << 20;
  const int Steps = P.quick() ? 16 : 64;
  auto &In = P.input<Float4>(size_t(Count) * Steps);
  auto &Lane = P.input<int>(size_t(Count) * Steps);
  auto &Out = P.output<Float4>(Count);
  Random R = P.random(0), S = P.random(1);
  for (size_t I = 0; I < In.size(); ++I) {
    for (int K = 0; K < Lanes; ++K)
      In[I].V[K] = float(int(R.unit(Lanes * I + K) * 1024));
    Lane[I] = int(S.unit(I) * 16);
  }

  P.launch("lanes4", {unsigned(Count / BlockSize)}, {BlockSize}, In, Lane, Out,
           Count, Steps);

  P.verify(Count, 1000, 0, [=, &In, &Lane, &Out](size_t T, Checker &C) {
    float Sum[Lanes] = {};
    for (int Step = 0; Step < Steps; ++Step) {
      size_t At = size_t(Step) * Count + T;
      Sum[Lane[At] % 4] += In[At].V[Lane[At] / 4];
    }
    for (int K = 0; K < Lanes; ++K)
      C.equal(Out[T].V[K], Sum[K]);
  });
}
