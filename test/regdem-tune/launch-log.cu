// What launches measured becomes a profile that the compiler follows: a kernel
// that was faster than its builds at all launches has none any more.
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t
// RUN: %launches -mllvm -regdem-report=%t/report.jsonl -c %s -o %t/step.o
// RUN: %clang %t/step.o %recording-runtime -o %t/step
// RUN: env REGDEM_LAUNCH=measure REGDEM_LAUNCH_LOG=%t/slow.jsonl FAKE_TIMES='_Z4stepPKjS0_Pji$regdem1=2.5' %t/step > %t/slow.txt
// RUN: %regdem-tune --launch-log %t/slow.jsonl --report %t/report.jsonl -o %t/slow.json 2>&1 | FileCheck %s --check-prefix=SLOW
// RUN: %launches -mllvm -regdem-profile=%t/slow.json -c %s -o %t/step.o
// RUN: %clang %t/step.o %recording-runtime -o %t/step.tuned
// RUN: %t/step.tuned | FileCheck %s --check-prefix=STOCK
// SLOW: step: stock: 1 ms as the kernel, 2.5 ms as its build
// SLOW: 1 entries in
// STOCK: launch _Z4stepPKjS0_Pji grid
// STOCK-NOT: $regdem
//
// RUN: env REGDEM_LAUNCH=measure REGDEM_LAUNCH_LOG=%t/fast.jsonl FAKE_TIMES='_Z4stepPKjS0_Pji$regdem1=0.5' %t/step > %t/fast.txt
// RUN: %regdem-tune --launch-log %t/fast.jsonl --report %t/report.jsonl -o %t/fast.json 2>&1 | FileCheck %s --check-prefix=FAST
// FAST: step: launches go on choosing: the build that wins takes shared memory for the block
// FAST: 0 entries in
#include "../Host/Inputs/stepping.h"

int main() {
  for (int I = 0; I != 40; ++I)
    step<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0);
}
