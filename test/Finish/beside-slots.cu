// Slots of demoted values are no dynamic shared memory: the frame that is left
// moves beside them.
// REQUIRES: ptxas, clang-cuda
// RUN: %clang-cuda --cuda-gpu-arch=sm_80 --no-cuda-gpu-arch=sm_90 --cuda-device-only -c %regdem -mllvm -regdem-mode=demote %s -o %t.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t.cubin -o %t.finished | FileCheck %s
// CHECK: 'step{{.*}}': frame of {{[0-9]+}} bytes a thread, {{.*}}moved from local to shared memory, {{.*}} (sm_80)
#include "../Host/Inputs/walk.h"

__global__ void __launch_bounds__(256, 8)
    step(const unsigned *Cold, const unsigned *Rows, unsigned *Result,
         int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}
