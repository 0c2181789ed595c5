// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../../cuda/Inputs/mix.h"
// Where CUDA 13 keeps thrust, regdem_enable has clang look.
#include <thrust/version.h>

extern "C" __global__ void __launch_bounds__(256)
    consumed(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

int main() {
  consumed<<<1, 256>>>(nullptr, 0);
  return 0;
}
