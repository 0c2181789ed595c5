// Usual code is read without a run of nvdisasm, and in the same way: builds,
// their predicted cycles and the PTX are those of a compilation in which
// nvdisasm reads all of it.
// REQUIRES: clang-cuda, nvdisasm
// RUN: rm -rf %t && mkdir -p %t/bin
// RUN: printf '#!/bin/sh\ntouch %t/was-run\nexec %nvdisasm "$@"\n' > %t/bin/nvdisasm && chmod +x %t/bin/nvdisasm
// RUN: env PATH=%t/bin:$PATH %device %regdem %s -o %t/own.s -mllvm -regdem-disassembler=auto -mllvm -regdem-report=%t/own.jsonl
// RUN: not ls %t/was-run
// RUN: %device %regdem %s -o %t/all.s -mllvm -regdem-disassembler=%t/bin/nvdisasm -mllvm -regdem-report=%t/all.jsonl
// RUN: ls %t/was-run
// RUN: cmp %t/own.s %t/all.s
// RUN: cmp %t/own.jsonl %t/all.jsonl
// RUN: %report %t/own.jsonl wide "from_sass" "len(variants) > 1"
#include "Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256)
    wide(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
