// A kernel that reads how much shared memory its launch has in all would tell
// that RegDem has added some: it gets no build that takes any. One that reads
// the size of the dynamic part may.
// REQUIRES: clang-cuda
// RUN: rm -f %t.cap.jsonl
// RUN: %device %regdem %s -o %t.cap.s -mllvm -regdem-pragma=on -mllvm -regdem-max-regs=40 -mllvm -regdem-report=%t.cap.jsonl 2>&1 | FileCheck %s --check-prefix=CAP
// RUN: %report %t.cap.jsonl total "max_regs == 40" "decision == 'cap'" "{v['decision'] for v in variants} <= {'stock', 'rewrite', 'cap'}" "not any(v['smem'] for v in variants)" "slots == 0"
// RUN: %report %t.cap.jsonl dynamic "decision in ('pragma', 'demote')"
#include "Inputs/mix.h"

// CAP: warning: {{.*}}'total' is held to 40 registers and spills {{.*}}to local memory; demotion was not tried: it reads how much shared memory its launch has in all
extern "C" __global__ void __launch_bounds__(256)
    total(unsigned *Data, int Rounds) {
  unsigned Size;
  asm("mov.u32 %0, %%total_smem_size;" : "=r"(Size));
  mix<48>(Data, Rounds, threadIdx.x + Size);
}

extern "C" __global__ void __launch_bounds__(256)
    dynamic(unsigned *Data, int Rounds) {
  unsigned Size;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(Size));
  mix<48>(Data, Rounds, threadIdx.x + Size);
}
