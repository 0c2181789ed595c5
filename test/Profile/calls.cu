// A kernel that calls functions gets an entry's cap only if the assembler
// confirms that its callees bear it, as without a profile.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl %t.off.jsonl %t.asked.jsonl %t.refused.jsonl
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-report=%t.jsonl %s -o %t.normal.s
// RUN: %profile %t.jsonl calls decision=cap max_regs=128 > %t.json
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-profile=%t.json -mllvm -regdem-report=%t.off.jsonl %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: cmp %t.s %t.normal.s
// RUN: %report %t.off.jsonl calls "decision == 'stock'" "'from_profile' not in records[0]"
// RUN: %device %regdem -mllvm -regdem-profile=%t.json -mllvm -regdem-report=%t.asked.jsonl %s -o %t.s
// RUN: FileCheck %s < %t.s
// RUN: %report %t.asked.jsonl calls "decision == 'cap'" "from_profile is True"
// RUN: %profile %t.jsonl calls decision=cap max_regs=16 > %t.json
// RUN: %device %regdem -mllvm -regdem-profile=%t.json -mllvm -regdem-report=%t.refused.jsonl %s -o %t.s
// RUN: cmp %t.s %t.normal.s
// RUN: %report %t.refused.jsonl calls "'from_profile' not in records[0]"
// REMARK: 'calls': profile entry not used: no assembler confirms that the functions it calls keep to the cap
#include "../cuda/Inputs/mix.h"

__device__ __noinline__ void work(unsigned *Data, int Rounds) {
  mix<8>(Data, Rounds, threadIdx.x);
}

// CHECK: .maxnreg 128
extern "C" __global__ void __launch_bounds__(128)
    calls(unsigned *Data, int Rounds) {
  work(Data, Rounds);
}
