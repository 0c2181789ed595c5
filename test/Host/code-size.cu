// The builds of a file add as much of the machine code that it has, 128 KB
// at least, as is asked for.
// Those that gain most for their code are kept, whichever kernels they are of,
// and remarks and the report tell of the others.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %clang-cuda -c %s -o %t.stock.o
// RUN: %clang-cuda %regdem -mllvm -regdem-launch-code=6 -mllvm -regdem-report=%t.jsonl -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.jsonl
// RUN: %python %regdem-source/test/Finish/Inputs/device_code.py %t.stock.o %t.stock.cubin
// RUN: %python %regdem-source/test/Finish/Inputs/device_code.py %t.o %t.cubin
// RUN: %python %S/Inputs/code_bytes.py %t.stock.cubin %t.cubin 6
// CHECK-DAG: remark: 'first(unsigned int const*, unsigned int const*, unsigned int*, int)' has other builds beside it: the host code chooses at launch: {{.*}} take build 1 in {{.*}}; all others take this one
// CHECK-DAG: remark: 'second(unsigned int const*, unsigned int const*, unsigned int*, int)' left as it is: {{[0-9]+ builds?}} left out for the size of the file's machine code (see -mllvm -regdem-launch-code)
// REPORT-DAG: "builds_left_out":{{[1-9]}},{{.*}}"kernel":"_Z6secondPKjS0_Pji"{{.*}}"launches":[]
//
// With room for all, and without:
// RUN: %launches -c %s -o %t.all.o -Rpass=regdem -Rpass-missed=regdem 2>&1 | FileCheck %s --check-prefix=ALL --implicit-check-not="left out"
// ALL-DAG: remark: 'first({{.*}} take build 1
// ALL-DAG: remark: 'second({{.*}} take build 1
// RUN: %clang-cuda %regdem -mllvm -regdem-launch-code=0 -c %s -o %t.none.o
// RUN: not grep -q 'regdem[0-9]' %t.none.o
#include "Inputs/walk.h"

__global__ void first(const unsigned *Cold, const unsigned *Rows,
                      unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}

__global__ void second(const unsigned *Cold, const unsigned *Rows,
                       unsigned *Result, int Threads) {
  walk<46>(Cold, Rows, Result, Threads);
}
