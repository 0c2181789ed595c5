// A kernel that registers limit is tried in other ways, and each of them is
// told; where they cannot be read as well.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem %s -o %t.s -Rpass=regdem -Rpass-missed=regdem -Rpass-analysis=regdem -mllvm -regdem-disassembler=/bin/false -mllvm -regdem-report=%t.jsonl 2>&1 | FileCheck %s
// RUN: %report %t.jsonl wide "len(variants) > 3" "[v['decision'] for v in variants].count('stock') == 1" "not from_sass" "margin > 0" "sum(v['chosen'] for v in variants) == 1"
// RUN: %report %t.jsonl wide "any(v['min_blocks'] == 1 for v in variants)" "len(variants) <= 13"
// RUN: %report %t.jsonl wide "min(v['blocks_per_sm'] for v in variants if v['decision'] == 'cap' and v['max_regs']) > blocks_per_sm_before"
#include "Inputs/mix.h"

// CHECK: remark: 'wide': 256 threads a block (maxntid), {{.*}} (limited by registers)
// CHECK: remark: 'wide' as stock: [[#]] registers, 0 bytes of spill code, 0 bytes of shared memory a block, [[#]] block{{s?}} per SM
// CHECK: remark: 'wide' as cap [[#]]: [[#]] registers, [[#]] bytes of spill code
// CHECK: remark: 'wide' as cap [[#]] and demotion to [[#]] words, {{.*}}, expected {{gain|loss}}
// CHECK: remark: 'wide' {{left as it is: fastest as it is by prediction \(best other: .*, expected (gain|loss) .* %, margin .* %, as nvdisasm has not read the builds: see -mllvm -regdem-disassembler\)|.*: expected gain .* % over the stock build}}
extern "C" __global__ void __launch_bounds__(256)
    wide(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
