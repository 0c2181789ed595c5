// Under launch bounds alone a block may have any shape, so that the slots of a
// 1D, a 2D and a 3D kernel are all found through every dimension.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %demote -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %region %t.s %t.jsonl
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

// CHECK-LABEL: .entry one(
// CHECK-DAG: %tid.x
// CHECK-DAG: %tid.y
// CHECK-DAG: %tid.z
// CHECK-DAG: %ntid.x
// CHECK-DAG: %ntid.y
// CHECK: st.shared
extern "C" __global__ void __launch_bounds__(256, 6)
    one(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

// CHECK-LABEL: .entry two(
// CHECK-DAG: %tid.x
// CHECK-DAG: %tid.y
// CHECK-DAG: %tid.z
// CHECK-DAG: %ntid.x
// CHECK-DAG: %ntid.y
// CHECK: st.shared
extern "C" __global__ void __launch_bounds__(256, 6)
    two(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.y * 16 + threadIdx.x);
}

// CHECK-LABEL: .entry three(
// CHECK-DAG: %tid.x
// CHECK-DAG: %tid.y
// CHECK-DAG: %tid.z
// CHECK-DAG: %ntid.x
// CHECK-DAG: %ntid.y
// CHECK: st.shared
extern "C" __global__ void __launch_bounds__(256, 6)
    three(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, (threadIdx.z * 4 + threadIdx.y) * 8 + threadIdx.x);
}
