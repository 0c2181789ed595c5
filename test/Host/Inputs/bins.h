// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel without launch bounds, with an array that data index.
#ifndef REGDEM_TEST_LAUNCH_BINS_H
#define REGDEM_TEST_LAUNCH_BINS_H

__global__ void bins(int *Result, const int *Keys, int Count) {
  unsigned T = blockIdx.x * blockDim.x + threadIdx.x;
  int Sums[32];
  for (int I = 0; I < 32; ++I)
    Sums[I] = Keys[I];
  for (int I = 0; I < Count; ++I) {
    unsigned Key = Keys[T + I * 4096];
    Sums[Key % 32] = Sums[Key / 32 % 32] * 31 + I;
  }
  int Sum = 0;
  for (int I = 0; I < 32; ++I)
    Sum = Sum * 31 + Sums[I];
  Result[T] = Sum;
}

#endif
