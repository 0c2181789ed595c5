// regdem-opt explains the kernel with its table, and each build by itself.
// REQUIRES: clang-cuda
// RUN: %clang-cuda --cuda-device-only -S -emit-llvm %s -o %t.ll
// RUN: %regdem-opt --explain -regdem-launch=on -regdem-launch-code=1000 %t.ll | FileCheck %s
// Kernels whose blocks come in clusters have no builds.
// RUN: sed 's/"uniform-work-group-size"/"nvvm.cluster_dim"="2,1,1" &/' %t.ll > %t.clusters.ll
// RUN: %regdem-opt --explain -regdem-launch=on %t.clusters.ll | FileCheck %s --check-prefix=CLUSTERS --implicit-check-not='$regdem'
// CLUSTERS: kernel         step
// CHECK: kernel         step
// CHECK: RegDem         'step' has other builds beside it: the host code chooses at launch: blocks of
// CHECK: kernel         step$regdem1
// CHECK-NEXT: target         sm_90, {{[0-9]+}} threads a block (launch)
#include "Inputs/walk.h"

extern "C" __global__ void step(const unsigned *Cold, const unsigned *Rows,
                                unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}
