// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps N 32-bit values alive at once while branches by a jump table are taken.
#pragma once

/// Mixes N words a thread, of which all are alive, with a Step each time.
template <int N, void (*Step)(unsigned *, unsigned)>
__device__ __forceinline__ void mixInSteps(unsigned *Data, int Rounds) {
  unsigned V[N];
#pragma unroll
  for (int I = 0; I < N; ++I)
    V[I] = Data[I * 1024 + threadIdx.x];
#pragma unroll 1
  for (int R = 0; R < Rounds; ++R) {
    Step(Data, R & 1 ? V[0] : V[1]);
#pragma unroll
    for (int I = 0; I < N; ++I)
      V[I] = V[I] * 5 + (V[(I + 1) % N] ^ (V[(I + 7) % N] >> 3));
  }
#pragma unroll
  for (int I = 0; I < N; ++I)
    Data[I * 1024 + threadIdx.x] = V[I];
}
