// Under launch bounds of its own, a kernel with dynamic shared memory of
// unknown size is built in the ways that take no shared memory; with what is
// left of its spill code the remark says what would help.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass=regdem -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: %report %t.jsonl stencil "decision == 'rewrite'" "rewrites == 'skip-loop-reduce'" "slots == 0" "max_regs == 32" "not any(v['spill_load_bytes'] for v in variants if v['chosen'])"
// RUN: %report %t.jsonl mixing "slots == 0" "all(v['decision'] in ('stock', 'rewrite') for v in variants)"
// RUN: %ptxas %t.s -o %t.cubin
//
// So it is under a lower cap that an option states. A warning tells of the one
// that spills then.
// RUN: %device %regdem -mllvm -regdem-max-regs=24 %s -o %t.asked.s 2>&1 | FileCheck %s --check-prefix=ASKED
// RUN: grep -c '.maxnreg 24' %t.asked.s | grep -x 2
#include "Inputs/mix.h"
#include "Inputs/stencil.h"

extern __shared__ float Buffer[];

// CHECK-DAG: remark: 'stencil' built, without loop-reduce: built so, it keeps to 32 registers without demotion
extern "C" __global__ void __launch_bounds__(256, 8)
    stencil(const float *__restrict__ In, float *__restrict__ Out, int Pitch,
            int Rows, int Steps) {
  Buffer[threadIdx.x] = In[threadIdx.x];
  __syncthreads();
  climb(In, Out, Pitch, Rows, Steps);
  Out[threadIdx.x] += Buffer[255 - threadIdx.x];
}

// CHECK-DAG: remark: 'mixing' {{.*}}: dynamic shared memory of unknown size: state -mllvm -regdem-dynamic-smem to have demotion tried
// ASKED: warning: regdem: 'mixing' is held to 24 registers and spills {{[0-9]+}} bytes to local memory; demotion was not tried: dynamic shared memory of unknown size: state -mllvm -regdem-dynamic-smem [
extern "C" __global__ void __launch_bounds__(256, 6)
    mixing(unsigned *Data, int Rounds) {
  Buffer[threadIdx.x] = Data[threadIdx.x];
  __syncthreads();
  Data += int(Buffer[255 - threadIdx.x]);
  mix<48>(Data, Rounds, threadIdx.x);
}
