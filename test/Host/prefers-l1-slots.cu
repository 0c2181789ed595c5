// Where a program prefers L1 to shared memory, a kernel whose values have
// slots, or whose arrays have gone there, states how much its blocks take, too.
// REQUIRES: clang-cuda
// RUN: %clang-cuda %regdem -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s --implicit-check-not=carveout
//
// REMARKS-DAG: remark: 'stencil({{.*}})' held to 32 registers with 7 words a thread (7168 bytes a block)
// REMARKS-DAG: remark: 'table({{.*}})' built, with arrays rewritten
//
// Of 228 KB 8 and 16 blocks take 8192 and 9216 bytes each, the reserve
// included.
// CHECK: device prefers 2
// CHECK-DAG: carveout _Z7stencilPKfPfS0_iii 29
// CHECK-DAG: carveout _Z5tableiPKiPi 64
// CHECK: launch _Z7stencilPKfPfS0_iii
#include "../../examples/stencil.cu"
#include "Inputs/table.h"

int main() {
  cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  stencil<<<1024, 256>>>(nullptr, nullptr, nullptr, 0, 0, 0);
}
