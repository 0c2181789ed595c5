// Asked for or not, kernels for which ptxas refuses to spill to shared memory
// are built without: with dynamic shared memory, with calls of the runtime, as
// PTX of a version before 8.7, with full debug information.
// REQUIRES: clang-cuda
// DEFINE: %{flags} = %regdem -mllvm -regdem-pragma=on -mllvm -regdem-build=smem-spilling %s -o %t.s
// RUN: %device %{flags}
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// RUN: %device -Xclang -target-feature -Xclang -ptx88 -Xclang -target-feature -Xclang +ptx86 %{flags}
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// RUN: %device -g -Xclang -debug-info-kind=limited %{flags}
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.s
// RUN: %ptxas -g %t.s -o %t.cubin
#include "Inputs/mix.h"
#include <cstdio>

extern __shared__ unsigned Buffer[];

// NONE: .entry plain(
// NONE-NOT: enable_smem_spilling

// CHECK-LABEL: .entry plain(
// CHECK: {
// CHECK: .pragma "enable_smem_spilling";
extern "C" __global__ void __launch_bounds__(256, 6)
    plain(unsigned *Data, int Rounds) {
  mix<64>(Data, Rounds, threadIdx.x);
}

// CHECK-LABEL: .entry annotated(
// CHECK-NOT: enable_smem_spilling
extern "C" __global__ void __launch_bounds__(256, 6)
    __attribute__((annotate("regdem:pragma=off")))
    annotated(unsigned *Data, int Rounds) {
  mix<64>(Data, Rounds, threadIdx.x);
}

// CHECK-LABEL: .entry dynamic(
// CHECK-NOT: enable_smem_spilling
extern "C" __global__ void __launch_bounds__(256, 6)
    __attribute__((annotate("regdem:dynamic-smem=1024")))
    dynamic(unsigned *Data, int Rounds) {
  Buffer[threadIdx.x] = Data[threadIdx.x];
  __syncthreads();
  mix<64>(Data + Buffer[255 - threadIdx.x], Rounds, threadIdx.x);
}

// CHECK-LABEL: .entry prints(
// CHECK-NOT: enable_smem_spilling
extern "C" __global__ void __launch_bounds__(256, 6)
    prints(unsigned *Data, int Rounds) {
  mix<64>(Data, Rounds, threadIdx.x);
  if (Data[0] == 7)
    printf("%d\n", Rounds);
}
