// -save-temps gives -mllvm to clang's assembler, too, which knows no option of
// RegDem; -Xclang reaches the compiler proper only.
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t
// RUN: cd %t && %clang-cuda -save-temps -fpass-plugin=%plugin -Xclang -mllvm -Xclang -regdem-build=demote=belady:36 -Xclang -mllvm -Xclang -regdem-report=%t/report.jsonl -c %s -o %t/kernel.o
// RUN: %report %t/report.jsonl bounded "decision == 'demote'" "max_regs == 40"
#include "Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256, 6)
    bounded(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
