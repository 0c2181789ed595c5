// One compilation for two architectures: each is decided on its own figures,
// and the result is one object.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %clang-cuda --cuda-gpu-arch=sm_80 %demote -mllvm -regdem-report=%t.jsonl -c %s -o %t.o
// RUN: %python -c "import json,sys; r=[json.loads(l) for l in open(sys.argv[1])]; assert sorted((x['arch'],x['decision']) for x in r)==[('sm_80','demote'),('sm_90','demote')], r" %t.jsonl
// RUN: %report %t.jsonl
#include "Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256, 6)
    both(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
