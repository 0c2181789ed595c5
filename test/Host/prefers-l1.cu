// A program may prefer L1 to shared memory. A kernel to which RegDem has given
// some then keeps its blocks per SM: it states how much these take. Others are
// as the program has them.
// REQUIRES: clang-cuda
// RUN: %clang-cuda %regdem -mllvm -regdem-arrays=off -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s --implicit-check-not=carveout
// RUN: %clang-cuda %regdem -mllvm -regdem-finish=off -mllvm -regdem-arrays=off -c %s -o %t.stays.o
// RUN: %clang %t.stays.o %recording-runtime -o %t.stays.exe
// RUN: %t.stays.exe | FileCheck %s --check-prefix=STAYS --implicit-check-not=carveout
//
// REMARK: remark: 'table(int, int const*, int*)': frame of 64 bytes a thread, {{.*}} moved from local to shared memory, 9232 bytes a block
//
// Of 228 KB 16 blocks take 10368 bytes each, the reserve included.
// CHECK: device prefers 2
// CHECK-NEXT: carveout _Z5tableiPKiPi 72
// CHECK-NEXT: device prefers 1
// CHECK-NEXT: carveout _Z5tableiPKiPi -1
// CHECK-NEXT: device prefers 3
// CHECK-NEXT: carveout _Z5tableiPKiPi 72
// CHECK-NEXT: _Z5plainPi prefers 2
// CHECK-NEXT: _Z5tableiPKiPi prefers 2
// CHECK-NEXT: carveout _Z5tableiPKiPi 72
// CHECK-NEXT: _Z5tableiPKiPi prefers 1
// CHECK-NEXT: carveout _Z5tableiPKiPi 72
// CHECK-NEXT: carveout _Z5tableiPKiPi 80
// CHECK-NEXT: carveout _Z5tableiPKiPi -1
// CHECK-NEXT: carveout _Z5plainPi 10
// What was said of the kernel is not said again with the device.
// CHECK-NEXT: device prefers 2
// CHECK-NEXT: launch _Z5tableiPKiPi
// STAYS: carveout _Z5tableiPKiPi 10
// STAYS-NEXT: carveout _Z5tableiPKiPi 80
// STAYS-NEXT: carveout _Z5tableiPKiPi -1
// STAYS-NEXT: carveout _Z5plainPi 10
#include "Inputs/table.h"

__global__ void __launch_bounds__(128) plain(int *Out) { Out[threadIdx.x] = 1; }

int main() {
  for (auto Config : {cudaFuncCachePreferL1, cudaFuncCachePreferShared,
                      cudaFuncCachePreferEqual})
    cudaDeviceSetCacheConfig(Config);
  cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1);
  cudaFuncSetCacheConfig(table, cudaFuncCachePreferL1);
  cudaFuncSetCacheConfig(table, cudaFuncCachePreferShared);
  constexpr auto Carveout = cudaFuncAttributePreferredSharedMemoryCarveout;
  for (int Percent : {10, 80, -1})
    cudaFuncSetAttribute(table, Carveout, Percent);
  cudaFuncSetAttribute(plain, Carveout, 10);
  cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  table<<<1024, 128>>>(16, nullptr, nullptr);
}
