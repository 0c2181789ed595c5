// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that branches by a jump table.
#pragma once

__device__ __forceinline__ void step(unsigned *Data, unsigned Kind) {
  switch (Kind) {
  case 0:
    Data[1] *= 3;
    break;
  case 1:
    Data[2] ^= Data[3];
    break;
  case 2:
    Data[4] += 5;
    break;
  case 3:
    atomicAdd(Data + 5, 1);
    break;
  case 4:
    Data[6] = Data[7] / Data[8];
    break;
  case 5:
    Data[9] <<= Data[10];
    break;
  }
}
