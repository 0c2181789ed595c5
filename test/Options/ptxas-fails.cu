// An assembler that fails or prints no figures does no harm: one warning a
// kernel, and the stock compiler's code.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-ptxas=/bin/false %s -o %t.s 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: cmp %t.stock.s %t.s
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-ptxas=/bin/true %s -o %t.s 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: cmp %t.stock.s %t.s
#include "../cuda/Inputs/mix.h"

// FAILS: warning: regdem: 'asked': '/bin/false' ended with 1{{.*}}; the kernel is left as it is
// SILENT: warning: regdem: 'asked': '/bin/true' printed no figures; the kernel is left as it is
extern "C" __global__ void __launch_bounds__(256, 6)
    asked(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
