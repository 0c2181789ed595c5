//===- host.cpp - separable convolution: input and reference --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Width = P.quick() ? 64 : 8192;
  const int Height = P.quick() ? 128 : 4096;
  auto &Input = P.uniform<float>(size_t(Width) * Height, 0, 0, 1);
  auto &Output = P.output<float>(size_t(Width) * Height);

  P.launch(
      "conv",
      {unsigned(Width / BlockX), unsigned(Height / (ResultSteps * BlockY))},
      {BlockX, BlockY}, Input, Output, Width, Height);

  P.verify(size_t(Width) * Height, 200000, 1e-6,
           [=, &Input, &Output](size_t I, Checker &C) {
             long X = long(I % Width), Y = long(I / Width);
             double Sum = 0;
             for (long Row = Y - Radius; Row <= Y + Radius; ++Row)
               if (Row >= 0 && Row < Height)
                 Sum += double(Weights[std::labs(Row - Y)]) *
                        Input[size_t(Row) * Width + X];
             C.close(Output[I], Sum, 1.0);
           });
}
