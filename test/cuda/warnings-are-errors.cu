// Where ptxas takes spills for errors, a build that spills would stop what
// passes without RegDem: it is not chosen.
// REQUIRES: clang-cuda, ptxas
// RUN: rm -f %t.jsonl %t.cap.jsonl %t.lost.jsonl
// RUN: %clang-cuda --cuda-device-only -c -Xcuda-ptxas --warn-on-spills -Xcuda-ptxas -Werror %regdem -mllvm -regdem-report=%t.jsonl -DNO_SLOTS -mllvm -regdem-block-size=256 %S/auto-unbounded.cu -o %t.cubin
// RUN: %report %t.jsonl unbounded "decision == 'stock'" "[v['max_regs'] for v in variants if 'refused' in v] == [32]" "'Registers are spilled' in variants[-1]['refused']"
//
// By a file of arguments as well.
// RUN: echo "-Xcuda-ptxas --warn-on-spills -Xcuda-ptxas -Werror" > %t.rsp
// RUN: %clang-cuda --cuda-device-only -c @%t.rsp %regdem -DNO_SLOTS -mllvm -regdem-block-size=256 %S/auto-unbounded.cu -o %t.cubin
//
// Under a stated cap the spill goes to shared memory, all of it.
// RUN: %clang-cuda --cuda-device-only -c -Xcuda-ptxas --warn-on-spills -Xcuda-ptxas -Werror %regdem -mllvm -regdem-max-regs=40 -mllvm -regdem-report=%t.cap.jsonl %s -o %t.cubin
// RUN: %report %t.cap.jsonl mixed "decision == 'demote'" "max_regs == 40" "any('refused' in v for v in variants if v['decision'] == 'cap')" "not any('refused' in v for v in variants if v['chosen'])"
//
// Where that cannot be, the kernel is as it was.
// RUN: %clang-cuda --cuda-device-only -c -Xcuda-ptxas --warn-on-spills -Xcuda-ptxas -Werror %regdem -mllvm -regdem-max-regs=16 -mllvm -regdem-report=%t.lost.jsonl %s -o %t.cubin 2>&1 | FileCheck %s
// RUN: %report %t.lost.jsonl mixed "decision == 'stock'"
#include "Inputs/mix.h"

// CHECK: warning: regdem: 'mixed': '{{.*}}ptxas' ended with 255: ptxas error   : {{.*}}; the kernel is left as it is
extern "C" __global__ void __launch_bounds__(256)
    mixed(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
