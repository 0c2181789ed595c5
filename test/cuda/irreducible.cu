// ptxas may keep the counter of a loop with two entries in a register that a
// whole warp shares, so that such a kernel is left as it is under any cap.
// REQUIRES: clang-cuda
// RUN: %clang -x cuda --cuda-path=%cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S %s -o %t.stock.s
// RUN: %clang -x cuda --cuda-path=%cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S %demote %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
#include "Inputs/mix.h"

// CHECK: remark: 'jumps' left as it is: a loop is entered at two places (irreducible control flow), which ptxas may miscompile when registers are short: enter it at one
extern "C" __global__ void __launch_bounds__(256, 6)
    jumps(unsigned *Data, int Rounds, unsigned Skip) {
  int I = 0;
  if (Data[threadIdx.x] > Skip)
    goto Middle;
  for (; I < 4; ++I) {
    mix<48>(Data, Rounds, threadIdx.x);
  Middle:
    mix<32>(Data + 1024, Rounds, threadIdx.x);
  }
}
