// What is built for launches of several sizes is compiled once as far as it is
// the same for all of them: stock's build, those with rewrites and in other
// orders, beside the kernel itself. A demoted build is not, whose slots have
// the room that blocks of a size leave.
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t
// RUN: %device %regdem -mllvm -regdem-launch=on -mllvm -regdem-jobs=1 -Xclang -ftime-trace=%t/trace.json -Xclang -ftime-trace-granularity=0 %s -o %t/out.s
// RUN: %python -c "import json; events = json.load(open(r'%t/trace.json'))['traceEvents']; print(*sorted(e['args']['detail'] for e in events if e['name'] == 'RegDem generate PTX'), sep='\n')" | FileCheck %s
// CHECK-COUNT-9: _Z4stepPKjS0_Pji{{$}}
// CHECK-NEXT: _Z4stepPKjS0_Pji, blocks of 1024 threads
#include "Inputs/stepping.h"
