// Releases of ptxas before and after the toolkit's own accept the code and keep
// to its cap.
// REQUIRES: clang-cuda, ptxas-versions
// RUN: %device %regdem -mllvm -regdem-mode=demote %s -o %t.s
// RUN: %each-ptxas %t.s | FileCheck %s
#include "Inputs/mix.h"

// CHECK: ptxas-12.9
// CHECK: Used 40 registers{{.*}} bytes smem
// CHECK: ptxas-13.
// CHECK: Used 40 registers{{.*}} bytes smem
extern "C" __global__ void __launch_bounds__(256, 6)
    versions(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
