// Without an assembler there is an estimate only, and nothing is changed by
// it; an assembler that fails gives one warning a kernel and the stock code. A
// disassembler that fails gives one warning, too, and the build that is chosen
// without one.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: cmp %t.stock.s %t.s
// RUN: %report %t.jsonl wide "decision == 'stock'" "estimated" "limiter_before == 'registers'"
// RUN: %device %regdem -mllvm -regdem-ptxas=/bin/false %s -o %t.s 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: cmp %t.stock.s %t.s
// RUN: rm -f %t.off.jsonl %t.bad.jsonl
// RUN: %device %regdem -mllvm -regdem-disassembler=off -mllvm -regdem-report=%t.off.jsonl -Rpass=none %s -o %t.off.s
// RUN: %device %regdem -mllvm -regdem-disassembler=/bin/false -mllvm -regdem-report=%t.bad.jsonl -Rpass=regdem -Rpass-missed=regdem %s -o %t.bad.s 2>&1 | FileCheck %s --check-prefix=UNREAD
// RUN: cmp %t.off.s %t.bad.s
// The code whose bytes are counted is kept only where it is to be read.
// RUN: sed -i 's/"code_bytes":[0-9]*/"code_bytes":0/g' %t.bad.jsonl
// RUN: cmp %t.off.jsonl %t.bad.jsonl
// RUN: %report %t.bad.jsonl wide "not from_sass" "len(variants) > 1"
// RUN: %device %regdem -mllvm -regdem-disassembler=%t.none %s -o %t.s 2>&1 | FileCheck %s --check-prefix=NONE
#include "Inputs/mix.h"

// OFF: remark: 'wide' left as it is: no register cap is stated, and without ptxas builds cannot be compared: see -mllvm -regdem-ptxas and -mllvm -regdem-budget
// FAILS: warning: regdem: 'wide': '/bin/false' ended with 1{{.*}}; the kernel is left as it is
// FAILS-NOT: warning: regdem
// UNREAD: warning: regdem: 'wide': '/bin/false' ended with 1{{.*}}; builds are compared by ptxas's figures
// UNREAD-NOT: warning: regdem
// UNREAD: remark: 'wide' {{.*}} as nvdisasm has not read the builds: see -mllvm -regdem-disassembler)
// NONE: warning: regdem: no disassembler at '{{.*}}none'; builds are compared by ptxas's figures
// NONE-NOT: warning: regdem
extern "C" __global__ void __launch_bounds__(256)
    wide(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
