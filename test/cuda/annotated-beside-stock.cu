// Kernels that are annotated stay in the program beside one of which stock's
// text is all that is generated.
// REQUIRES: ptxas, clang-cuda
// RUN: %clang-cuda %regdem --cuda-device-only -S %s -o - | FileCheck %s

// CHECK-NOT: .extern .entry
// CHECK-DAG: .visible .entry first(
// CHECK-DAG: .visible .entry small(
// CHECK-DAG: .visible .entry last(
extern "C" __attribute__((annotate("regdem:mode=off"))) __global__ void
first(float *x) {
  x[threadIdx.x] *= 2;
}
extern "C" __global__ void small(float *x) { x[threadIdx.x] += 1; }
extern "C" __attribute__((annotate("regdem:mode=off"))) __global__ void
last(float *x) {
  x[threadIdx.x] *= 3;
}
