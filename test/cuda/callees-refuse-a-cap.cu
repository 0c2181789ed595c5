// The kernel's own pressure says nothing of what it calls: ptxas is asked, and
// where it refuses a cap because of a callee, that build cannot be chosen, and
// the figures told are ptxas's.
// REQUIRES: clang-cuda, ptxas
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl -Werror -Rpass-missed=regdem %s -o %t.s 2>&1 | FileCheck %s
// RUN: %report %t.jsonl caller "decision == 'stock'" "not estimated" "pressure_before < 16"
// RUN: %report %t.jsonl caller "variants[0]['chosen']" "variants[0]['regs'] > 64" "any(v['max_regs'] for v in variants)" "any('refused' in v for v in variants)" "all(v['max_regs'] for v in variants if 'refused' in v)"
// RUN: %report %t.jsonl caller "blocks_per_sm_before == variants[0]['blocks_per_sm'] < 4" "limiter_before == 'registers'"
// RUN: %ptxas %t.s -o %t.cubin
//
// It refuses none where it makes the whole program, which is asserted here.
// RUN: rm -f %t.whole.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.whole.jsonl -mllvm -regdem-pragma=on -Werror %s -o %t.whole.s
// RUN: %report %t.whole.jsonl caller "len(variants) > 1" "any(v['max_regs'] for v in variants)"
// RUN: %ptxas %t.whole.s -o %t.cubin
//
// A cap that somebody states is refused with words that say what to do.
// RUN: %device %regdem -mllvm -regdem-max-regs=32 %s -o %t.s 2>&1 | FileCheck %s --check-prefix=STATED
#include "Inputs/mix.h"

// STATED: warning: regdem: 'caller': ptxas refuses a cap of 32 registers in code that is yet to be linked, as the kernel calls '{{.*}}callee{{.*}}', which takes {{[0-9]+}}: have that function inlined, or state a higher cap; the kernel is left as it is
// CHECK: remark: 'caller' left as it is: ptxas refuses a cap because of the functions that it calls: have them inlined to have more tried
__device__ __noinline__ void callee(unsigned *Data, int Rounds) {
  mix<80>(Data, Rounds, threadIdx.x);
}
extern "C" __global__ void __launch_bounds__(256, 1)
    caller(unsigned *Data, int Rounds) {
  callee(Data + 1, Rounds);
}
