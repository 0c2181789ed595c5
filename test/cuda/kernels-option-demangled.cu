// -regdem-kernels matches names as remarks show them, too.
// REQUIRES: clang-cuda
// RUN: %device %demote -mllvm "-regdem-kernels=^outer::work[(]" -Rpass=regdem -Rpass-missed=regdem %s -o %t.s 2>&1 | FileCheck %s
#include "Inputs/mix.h"

// CHECK-DAG: remark: 'outer::work(unsigned int*, int)' held to 40 registers
// CHECK-DAG: remark: 'work(unsigned int*, int)' left as it is: -mllvm -regdem-kernels does not match this name (sm_90)

namespace outer {
__global__ void __launch_bounds__(256, 6) work(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
} // namespace outer

__global__ void __launch_bounds__(256, 6) work(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
