// ptxas may lose a value at a branch by a table if it runs out of registers. A
// kernel where that may be calls copies of its functions that have no such
// branch; what other kernels call stays as it is.
// REQUIRES: clang-cuda
// RUN: %device %regdem -mllvm -regdem-max-regs=40 -mllvm -regdem-pragma=on %s -o %t.s
// RUN: FileCheck %s --input-file=%t.s
// RUN: %entry-text %t.s crowded | FileCheck %s --check-prefix=CROWDED
// RUN: %entry-text %t.s roomy | FileCheck %s --check-prefix=ROOMY
// RUN: %ptxas %t.s -o %t.cubin
//
// So it is where a build is stated, of which it is not known what it spills.
// RUN: %device %regdem -mllvm "-regdem-build=cap=40 demote=belady:36" %s -o %t.s
// RUN: %entry-text %t.s crowded | FileCheck %s --check-prefix=CROWDED
// CHECK: .func {{.*}}innerPjj(
// CHECK: brx.idx
// CHECK: .func {{.*}}innerPjj$regdem(
// CHECK-NOT: brx.idx
// CROWDED: call{{.*}}outerPjj$regdem
// ROOMY: call{{.*}}outerPjj,
#include "Inputs/mix-in-steps.h"
#include "Inputs/step.h"

__device__ __noinline__ void inner(unsigned *Data, unsigned Kind) {
  step(Data, Kind);
}

__device__ __noinline__ void outer(unsigned *Data, unsigned Kind) {
  inner(Data, Kind);
  Data[11] += Kind;
}

// The kernel's own variable leaves shared memory for four words a thread.
extern "C" __global__ void __launch_bounds__(256)
    crowded(unsigned *Data, int Rounds) {
  __shared__ unsigned Buffer[11264];
  Buffer[threadIdx.x * 44] = Data[threadIdx.x];
  __syncthreads();
  mixInSteps<64, outer>(Data + Buffer[Data[0] % 11264], Rounds);
}

extern "C" __global__ void __launch_bounds__(256)
    roomy(unsigned *Data, int Rounds) {
  mixInSteps<8, outer>(Data, Rounds);
}
