// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that spills under its own cap of 40 registers.
#include "mix.h"

extern "C" __global__ void __launch_bounds__(256, 6)
    spills(unsigned *Data, int Rounds) {
  mix<64>(Data, Rounds, threadIdx.x);
}
