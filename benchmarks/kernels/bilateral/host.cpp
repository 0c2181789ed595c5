//===- host.cpp - bilateral filter: input and reference -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

struct Pixel {
  float V[4];
};

void bench::describe(Problem &P) {
  const int Width = P.quick() ? 64 : 2048, Height = P.quick() ? 32 : 1024;
  auto &Image = P.input<Pixel>(size_t(Width) * Height);
  auto &Result = P.output<Pixel>(size_t(Width) * Height);
  Random R = P.random(0);
  for (size_t I = 0; I < Image.size(); ++I)
    for (int A = 0; A < 4; ++A)
      Image[I].V[A] = float(R.unit(4 * I + A));

  P.launch("bilateral", {unsigned(Width / BlockX), unsigned(Height / BlockY)},
           {BlockX, BlockY}, Image, Result, Width, Height);

  P.verify(
      size_t(Width) * Height, 20000, 2e-5,
      [=, &Image, &Result](size_t At, Checker &C) {
        const int X = int(At % Width), Y = int(At / Width);
        double Sum[3] = {}, Total = 0;
        for (int J = Y - Radius; J <= Y + Radius; ++J)
          for (int I = X - Radius; I <= X + Radius; ++I) {
            const Pixel &Other =
                Image[size_t(std::min(std::max(J, 0), Height - 1)) * Width +
                      std::min(std::max(I, 0), Width - 1)];
            double Range = 0, Space = (I - X) * (I - X) + (J - Y) * (J - Y);
            for (int A = 0; A < 3; ++A)
              Range += std::pow(double(Other.V[A]) - Image[At].V[A], 2);
            double Weight = std::exp(-Space * double(SpaceScale)) *
                            std::exp(-Range * double(RangeScale));
            Total += Weight;
            for (int A = 0; A < 3; ++A)
              Sum[A] += Weight * Other.V[A];
          }
        for (int A = 0; A < 3; ++A)
          C.close(Result[At].V[A], Sum[A] / Total, 0.1);
        C.equal(Result[At].V[3], Image[At].V[3]);
      });
}
