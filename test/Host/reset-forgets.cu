// cudaDeviceReset() forgets that a build has opted in to more than 48 KB. The
// next launch of the build opts in again.
// REQUIRES: clang-cuda
// RUN: %launches -c %s -o %t.o
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// CHECK-COUNT-4: launch _Z4stepPKjS0_Pji$regdem{{[0-9]}} grid 100000 1 1 block 512 1 1 smem {{[5-9][0-9][0-9][0-9][0-9]|[1-9][0-9][0-9][0-9][0-9][0-9]}} asked
#include "Inputs/stepping.h"

int main() {
  step<<<100000, 512>>>(nullptr, nullptr, nullptr, 0);
  cudaDeviceReset();
  for (int I = 0; I != 3; ++I)
    step<<<100000, 512>>>(nullptr, nullptr, nullptr, 0);
}
