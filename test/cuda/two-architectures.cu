// One compilation for two architectures: each is decided on its own figures,
// and the result is one object. Report and remarks say which one is meant, that
// of code for one architecture only (sm_90a) included.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %clang-cuda --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90a %demote -mllvm -regdem-report=%t.jsonl -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %python -c "import json,sys; r=[json.loads(l) for l in open(sys.argv[1])]; assert sorted((x['arch'],x['decision']) for x in r)==[('sm_80','demote'),('sm_90','demote'),('sm_90a','demote')], r" %t.jsonl
// RUN: %report %t.jsonl
#include "Inputs/mix.h"

// CHECK-DAG: remark: 'both' held to {{.*}} (sm_80) [-Rpass=regdem]
// CHECK-DAG: remark: 'both' held to {{.*}} (sm_90) [-Rpass=regdem]
// CHECK-DAG: remark: 'both' held to {{.*}} (sm_90a) [-Rpass=regdem]

extern "C" __global__ void __launch_bounds__(256, 6)
    both(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
