//===- host.cpp - Winograd convolution: input and reference ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int TilesX = P.quick() ? 8 : 64, TilesY = P.quick() ? 4 : 384;
  const int Width = TilesX * Output + Filter - 1;
  const int Height = TilesY * Output + Filter - 1;
  const int OutWidth = TilesX * Output, OutHeight = TilesY * Output;
  auto &Image = P.uniform<float>(size_t(Channels) * Width * Height, 0, -1, 1);
  auto &Weights = P.uniform<float>(size_t(Filters) * Channels * Filter * Filter,
                                   1, -0.3, 0.3);
  auto &Transformed =
      P.input<float>(size_t(Filters) * Channels * Window * Window);
  auto &Result = P.output<float>(size_t(Filters) * OutWidth * OutHeight);
  static const double G[Window][Filter] = {{1 / 4.0, 0, 0},
                                           {-1 / 6.0, -1 / 6.0, -1 / 6.0},
                                           {-1 / 6.0, 1 / 6.0, -1 / 6.0},
                                           {1 / 24.0, 1 / 12.0, 1 / 6.0},
                                           {1 / 24.0, -1 / 12.0, 1 / 6.0},
                                           {0, 0, 1}};
  for (int F = 0; F < Filters * Channels; ++F)
    for (int I = 0; I < Window; ++I)
      for (int J = 0; J < Window; ++J) {
        double Sum = 0;
        for (int K = 0; K < Filter; ++K)
          for (int L = 0; L < Filter; ++L)
            Sum += G[I][K] * G[J][L] *
                   Weights[(size_t(F) * Filter + K) * Filter + L];
        Transformed[(size_t(F) * Window + I) * Window + J] = float(Sum);
      }

  P.launch("winograd", {ceilDiv(TilesX * TilesY, BlockSize), Filters},
           {BlockSize}, Image, Transformed, Result, Width, Height, TilesX,
           TilesY);

  P.verify(
      size_t(Filters) * OutWidth * OutHeight, 20000, 5e-5,
      [=, &Image, &Weights, &Result](size_t I, Checker &C) {
        size_t X = I % OutWidth, Y = I / OutWidth % OutHeight;
        size_t F = I / OutWidth / OutHeight;
        double Sum = 0;
        for (size_t Channel = 0; Channel < Channels; ++Channel)
          for (size_t K = 0; K < Filter; ++K)
            for (size_t L = 0; L < Filter; ++L)
              Sum +=
                  double(
                      Weights[((F * Channels + Channel) * Filter + K) * Filter +
                              L]) *
                  Image[(Channel * Height + Y + K) * Width + X + L];
        C.close(Result[I], Sum, 2.0);
      });
}
