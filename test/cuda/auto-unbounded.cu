// Nothing says how many threads a launch of a kernel without launch bounds may
// have, nor how many blocks: a cap that costs spill code, which gains with some
// block sizes in large grids, is not taken.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %report %t.jsonl unbounded "decision == 'stock'" "block_size == 256" "block_size_from == 'assumed'" "any(v['max_regs'] == 32 for v in variants)" "not any(v['smem'] for v in variants)"
// RUN: FileCheck %s --input-file=%t.s --implicit-check-not=.maxn --implicit-check-not=.shared
// With bounds it is worth its while.
// RUN: %device -DBOUND='__launch_bounds__(256)' %regdem %s -o %t.s -Rpass=regdem 2>&1 | FileCheck %s --check-prefix=BOUND

// REMARK: remark: 'unbounded' left as it is: {{(each other build is expected to be slower at some launch|fastest as it is)}}
// BOUND: remark: 'unbounded' {{.*}}expected gain
// CHECK-LABEL: .entry unbounded(

#ifndef BOUND
#define BOUND
#endif

#include "Inputs/follow.h"

extern "C" __global__ void BOUND unbounded(const int *__restrict__ Next,
                                           const float *__restrict__ Values,
                                           float *__restrict__ Out, int Steps) {
#ifdef NO_SLOTS // What reads this gets no shared memory.
  unsigned Total;
  asm("mov.u32 %0, %%total_smem_size;" : "=r"(Total));
  Steps += Total >> 20;
#endif
  follow(Next, Values, Out, Steps);
}
