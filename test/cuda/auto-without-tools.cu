// Without an assembler kernels are stock's, but for caps that are stated, and
// one warning says so where the user has not switched it off. Usual code needs
// no disassembler.
// An assembler that fails gives one warning a kernel and the stock code. A
// disassembler that fails where RegDem itself does not read the code (sm_75)
// gives one warning, too, and stock's code.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: cmp %t.stock.s %t.s
// RUN: %report %t.jsonl wide "decision == 'stock'" "estimated" "limiter_before == 'registers'"
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-disassembler=off -mllvm -regdem-report=%t.jsonl %s -o %t.s 2>&1 | count 0
// RUN: %report %t.jsonl wide "from_sass" "len(variants) > 1"
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-max-regs=40 %s -o - 2>&1 | FileCheck %s --check-prefix=CAP
// RUN: %device %regdem -mllvm -regdem-ptxas=/bin/false %s -o %t.s 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: cmp %t.stock.s %t.s
// RUN: rm -f %t.bad.jsonl
// DEFINE: %{older} = %device --no-cuda-gpu-arch=sm_90 --cuda-gpu-arch=sm_75 -DWORDS=100
// RUN: %{older} %s -o %t.older.s
// RUN: %{older} %regdem -mllvm -regdem-disassembler=/bin/false -mllvm -regdem-report=%t.bad.jsonl -Rpass=regdem -Rpass-missed=regdem %s -o %t.bad.s 2>&1 | FileCheck %s --check-prefix=UNREAD
// RUN: cmp %t.older.s %t.bad.s
// RUN: %device %regdem -mllvm -regdem-disassembler=%t.none -mllvm -regdem-max-regs=40 %s -o - 2>&1 | FileCheck %s --check-prefixes=NONE,CAP
#include "Inputs/mix.h"

#ifndef WORDS
#define WORDS 48
#endif

// OFF-NOT: warning: regdem
// OFF: remark: 'wide' left as it is: builds of it could not be compared: see -mllvm -regdem-ptxas, -mllvm -regdem-disassembler and -mllvm -regdem-effort
// FAILS: warning: regdem: 'wide': '/bin/false' ended with 1{{.*}}; the kernel is left as it is
// FAILS-NOT: warning: regdem
// UNREAD: warning: regdem: 'wide': '/bin/false' ended with 1{{.*}}; the kernel is left as it is
// UNREAD-NOT: warning: regdem
// NONE: warning: regdem: no disassembler at '{{.*}}none'; kernels are left as they are, but for caps that are stated
// NONE-NOT: warning: regdem
// CAP-LABEL: .entry wide(
// CAP: .maxnreg 40
// CAP-NOT: .shared
extern "C" __global__ void __launch_bounds__(256)
    wide(unsigned *Data, int Rounds) {
  mix<WORDS>(Data, Rounds, threadIdx.x);
}
