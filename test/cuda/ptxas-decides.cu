// With ptxas at hand, candidates are assembled, and the one chosen leaves less
// local spill than the stock code; the report lists what was tried.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %report %t.jsonl spills "decision == 'demote'" "sum(v['chosen'] for v in variants) == 1" "[v for v in variants if v['chosen']][0]['spill_load_bytes'] == 0" "[v for v in variants if v['decision'] == 'stock'][0]['spill_load_bytes'] > 0"
// RUN: %region %t.s %t.jsonl
// RUN: %ptxas %t.s -o %t.cubin 2>&1 | FileCheck %s
#include "Inputs/mix.h"

// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// CHECK: Used 40 registers{{.*}} bytes smem
extern "C" __global__ void __launch_bounds__(256, 6)
    spills(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
