// A cap that clang's command line gives to ptxas is RegDem's as well, for the
// kernels that ptxas holds to it: those without launch bounds.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %clang-cuda --cuda-device-only -c -Xcuda-ptxas --maxrregcount=40 %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.o 2>&1 | FileCheck %s
// RUN: %report %t.jsonl loose "max_regs == 40" "decision == 'cap'" "slots == 0"
// RUN: %report %t.jsonl bounded "max_regs == 0"
//
// With a block size it is demoted; a higher cap of an option does not lift it.
// RUN: rm -f %t.jsonl
// RUN: %clang-cuda --cuda-device-only -c -Xcuda-ptxas --maxrregcount=40 %regdem -mllvm -regdem-block-size=256 -mllvm -regdem-report=%t.jsonl -Werror %s -o %t.o
// RUN: %report %t.jsonl loose "max_regs == 40" "decision == 'demote'"
// RUN: rm -f %t.jsonl
// RUN: %clang-cuda --cuda-device-only -c -Xcuda-ptxas --maxrregcount=40 %regdem -mllvm -regdem-max-regs=48 -mllvm -regdem-report=%t.jsonl %s -o %t.o
// RUN: %report %t.jsonl loose "max_regs == 40"
//
// All that a thread may have is no cap, which makefiles state: builds compete
// as without it.
// RUN: rm -f %t.jsonl
// RUN: %clang-cuda --cuda-device-only -c -Xcuda-ptxas --maxrregcount=255 %regdem -mllvm -regdem-block-size=256 -mllvm -regdem-report=%t.jsonl -Werror %s -o %t.o
// RUN: %report %t.jsonl loose "max_regs < 255" "len(variants) > 1" "'keeps to' not in reason"
//
// What RegDem declines ptxas holds to it.
// RUN: %clang-cuda --cuda-device-only -O0 -c -Xcuda-ptxas --maxrregcount=40 %regdem -Werror %s -o %t.o
// RUN: %clang-cuda --cuda-device-only -c -Xcuda-ptxas --maxrregcount=40 %regdem -mllvm -regdem-mode=off -Werror %s -o %t.o
#include "Inputs/mix.h"

// CHECK: warning: regdem: 'loose' is held to 40 registers and spills {{[0-9]+}} bytes to local memory; demotion was not tried: threads per block are not known
extern "C" __global__ void loose(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(64)
    bounded(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
