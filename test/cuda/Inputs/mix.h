// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of the tests' kernels: keeps N 32-bit values alive at once, more
// than the registers that a test allows.
#pragma once

template <int N>
__device__ __forceinline__ void mix(unsigned *Data, int Rounds,
                                    unsigned Thread) {
  unsigned V[N];
#pragma unroll
  for (int I = 0; I < N; ++I)
    V[I] = Data[I * 1024 + Thread];
#pragma unroll 1
  for (int R = 0; R < Rounds; ++R)
#pragma unroll
    for (int I = 0; I < N; ++I)
      V[I] = V[I] * 5 + (V[(I + 1) % N] ^ (V[(I + 7) % N] >> 3));
#pragma unroll
  for (int I = 0; I < N; ++I)
    Data[I * 1024 + Thread] = V[I];
}
