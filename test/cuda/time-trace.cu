// clang's -ftime-trace shows where RegDem's time goes, on all of its threads.
// REQUIRES: clang-cuda, ptxas
// RUN: rm -rf %t && mkdir %t
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-cache=off -mllvm -regdem-jobs=2 -Xclang -ftime-trace=%t/trace.json -Xclang -ftime-trace-granularity=0 %s -o %t/out.s
// RUN: %python -c "import json; events = json.load(open(r'%t/trace.json'))['traceEvents']; print(*sorted({e['name'] for e in events if e['name'].startswith('RegDem')}), sep='\n')" | FileCheck %s
#include "Inputs/mix.h"

// CHECK: RegDem check
// CHECK-NEXT: RegDem decide and transform
// CHECK-NEXT: RegDem generate PTX
// CHECK-NEXT: RegDem move
// CHECK-NEXT: RegDem predict
// CHECK-NEXT: RegDem ptxas
// CHECK-NEXT: RegDem read code
// CHECK-NEXT: RegDem search
extern "C" __global__ void __launch_bounds__(256, 6)
    large(unsigned *Data, int Rounds) {
  mix<64>(Data, Rounds, threadIdx.x);
}
