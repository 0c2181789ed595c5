//===- host.cpp - a transposed matrix: input and reference ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Width = P.quick() ? 128 : 8192, Height = P.quick() ? 64 : 4096;
  auto &From = P.uniform<float>(size_t(Width) * Height, 0, -1, 1);
  auto &To = P.output<float>(size_t(Width) * Height);

  for (int I = 0; I < 4; ++I) // one launch is short
    P.launch("transpose", {unsigned(Width / Tile), unsigned(Height / Tile)},
             {BlockSize}, From, To, Width, Height);

  P.verify(size_t(Width) * Height, 200000, 0,
           [&, Width, Height](size_t I, Checker &C) {
             size_t Row = I / Height, Column = I % Height;
             C.equal(To[I], From[Column * Width + Row]);
           });
}
