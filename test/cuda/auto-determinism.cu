// The same input gives the same PTX, remarks and report, byte for byte, also
// where variants compete.
// REQUIRES: clang-cuda
// RUN: rm -f %t.1.jsonl %t.2.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.1.jsonl %s -o %t.1.s -Rpass-analysis=regdem 2> %t.1.txt
// RUN: %device %regdem -mllvm -regdem-report=%t.2.jsonl %s -o %t.2.s -Rpass-analysis=regdem 2> %t.2.txt
// RUN: cmp %t.1.s %t.2.s
// RUN: cmp %t.1.jsonl %t.2.jsonl
// RUN: cmp %t.1.txt %t.2.txt
// RUN: %report %t.1.jsonl wide "len(variants) > 1"
#include "Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256)
    wide(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
