// The same of builds that are chosen at launch.
// REQUIRES: clang-cuda
// RUN: %launches -mllvm -regdem-arrays=off -c %s -o %t.o
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
//
// CHECK: device prefers 2
// CHECK-NEXT: carveout _Z4binsPiPKii$regdem1 {{[1-9][0-9]}}
// CHECK-NEXT: launch _Z4binsPiPKii$regdem1
#include "Inputs/bins.h"

int main() {
  cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  bins<<<100000, 128>>>(nullptr, nullptr, 100);
}
