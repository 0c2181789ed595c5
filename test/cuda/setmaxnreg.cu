// A kernel that changes its own register count is left as it is.
// REQUIRES: clang-cuda
// RUN: %clang -x cuda --cuda-path=%cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90a -O3 --cuda-device-only -S %s -o %t.stock.s
// RUN: %clang -x cuda --cuda-path=%cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90a -O3 --cuda-device-only -S %demote %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
#include "Inputs/mix.h"

// CHECK: remark: 'changes' left as it is: the kernel changes its register count with setmaxnreg, so that no one cap holds for it
extern "C" __global__ void __launch_bounds__(256, 6)
    changes(unsigned *Data, int Rounds) {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
  mix<48>(Data, Rounds, threadIdx.x);
}
