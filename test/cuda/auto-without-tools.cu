// Without an assembler kernels are stock's, but for caps that are stated, and
// one warning says so where the user has not switched it off.
// An assembler that fails gives one warning a kernel and the stock code. Code
// with an instruction that RegDem does not know stays stock's, as a remark
// says.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: cmp %t.stock.s %t.s
// RUN: %report %t.jsonl wide "decision == 'stock'" "estimated" "limiter_before == 'registers'"
// A block of its threads has the registers that launch bounds leave it,
// whatever its values would take.
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -DWORDS=160 -DTHREADS=512 -mllvm -regdem-ptxas=off -mllvm -regdem-report=%t.jsonl %s -o /dev/null
// RUN: %report %t.jsonl wide "limiter_before == 'registers'" "blocks_per_sm_before == 1" "pressure_before > 128"
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s 2>&1 | count 0
// RUN: %report %t.jsonl wide "from_sass" "len(variants) > 1"
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-max-regs=40 %s -o - 2>&1 | FileCheck %s --check-prefix=CAP
// RUN: %device %regdem -mllvm -regdem-ptxas=/bin/false %s -o %t.s 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: cmp %t.stock.s %t.s
// RUN: %device %regdem -mllvm -regdem-ptxas=%t.none -mllvm -regdem-max-regs=40 %s -o - 2>&1 | FileCheck %s --check-prefixes=NONE,CAP
// RUN: rm -f %t.bad.jsonl
// DEFINE: %{unknown} = %device -DWORDS=100 -DUNKNOWN
// RUN: %{unknown} %s -o %t.unknown.s
// RUN: %{unknown} %regdem -mllvm -regdem-report=%t.bad.jsonl -Rpass=regdem -Rpass-missed=regdem %s -o %t.bad.s 2>&1 | FileCheck %s --check-prefix=UNREAD
// RUN: cmp %t.unknown.s %t.bad.s
#include "Inputs/mix.h"

#ifndef WORDS
#define WORDS 48
#endif
#ifndef THREADS
#define THREADS 256
#endif

// OFF-NOT: warning: regdem
// OFF: remark: 'wide' left as it is: builds of it were not compared: there is no ptxas (-mllvm -regdem-ptxas)
// FAILS: warning: regdem: 'wide': '/bin/false' ended with 1{{.*}}; the kernel is left as it is
// FAILS-NOT: warning: regdem
// UNREAD-NOT: warning: regdem
// UNREAD: remark: 'wide'{{.*}}RegDem does not know the instruction at 0x{{[0-9a-f]+}}; the kernel is left as it is
// UNREAD-NOT: warning: regdem
// NONE: warning: regdem: no assembler at '{{.*}}none'; kernels are left as they are, but for caps that are stated
// NONE-NOT: warning: regdem
// CAP-LABEL: .entry wide(
// CAP: .maxnreg 40
// CAP-NOT: .shared
extern "C" __global__ void __launch_bounds__(THREADS)
    wide(unsigned *Data, int Rounds) {
#ifdef UNKNOWN
  asm volatile("cp.async.bulk.commit_group;");
#endif
  mix<WORDS>(Data, Rounds, threadIdx.x);
}
