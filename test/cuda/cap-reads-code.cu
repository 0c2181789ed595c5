// Under a stated cap too the machine code decides: among the cap alone, what
// ptxas spills to shared memory by itself, and at most three demotions. Where
// it has an instruction that RegDem does not know, a warning says so and the
// cap is all that is tried.
// REQUIRES: clang-cuda
// DEFINE: %{flags} = %regdem -mllvm -regdem-mode=demote -mllvm -regdem-pragma=on %s
// DEFINE: %{build} = %device %{flags}
// RUN: rm -f %t.jsonl %t.bad.jsonl
// RUN: %{build} -o %t.s -mllvm -regdem-report=%t.jsonl -Rpass-analysis=regdem 2>&1 | FileCheck %s
// RUN: %report %t.jsonl spills "sum(v['cycles'] > 0 and v['decision'] == 'demote' for v in variants) in (1, 2, 3)" "all((v['cycles'] > 0) == (v['decision'] == 'cap' and not v['rewrites'] and not v['order']) for v in variants if v['decision'] in ('stock', 'cap'))" "min((v['spill_store_bytes'] + v['spill_load_bytes'], v['smem'], v['cycles'], v['chosen']) for v in variants if v['cycles'] > 0)[3]" "[v['expected_gain'] for v in variants if v['decision'] == 'cap' and not v['rewrites'] and not v['order']] == [0]"
// RUN: %{build} -DUNKNOWN -o %t.bad.s -mllvm -regdem-report=%t.bad.jsonl 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: %report %t.bad.jsonl spills "all(v['cycles'] == 0 for v in variants)"
#include "Inputs/mix.h"

// CHECK: remark: 'spills' as cap 40 and demotion {{.*}}, expected gain {{[0-9.]+}} % over cap 40, chosen
// BAD: warning: regdem: 'spills': RegDem does not know the instruction at 0x{{[0-9a-f]+}}; builds of it are not compared
// BAD-NOT: warning:
__attribute__((annotate("regdem:max-regs=40"))) extern "C" __global__ void
__launch_bounds__(256) spills(unsigned *Data, int Rounds) {
#ifdef UNKNOWN
  asm volatile("cp.async.bulk.commit_group;");
#endif
  mix<48>(Data, Rounds, threadIdx.x);
}
