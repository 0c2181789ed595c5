// A product of matrices that is under way writes its registers until it has
// been waited for. They must not be stored until then, so the kernel is left as
// it is.
// REQUIRES: clang-cuda
// RUN: %clang -x cuda --cuda-path=%cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90a -O3 --cuda-device-only -S %s -o %t.stock.s
// RUN: %clang -x cuda --cuda-path=%cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90a -O3 --cuda-device-only -S %demote %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
#include "Inputs/mix.h"

// CHECK: remark: 'multiplies' left as it is: wgmma or tcgen05 instructions use registers asynchronously, so that these must not be stored
extern "C" __global__ void __launch_bounds__(256, 6)
    multiplies(unsigned *Data, int Rounds, unsigned long long A,
               unsigned long long B) {
  float D[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
               : "l"(A), "l"(B));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  mix<48>(Data, Rounds, threadIdx.x);
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (float &Word : D)
    asm volatile("" : "+f"(Word)::"memory");
  Data[threadIdx.x] += static_cast<unsigned>(D[0] + D[1] + D[2] + D[3]);
}
