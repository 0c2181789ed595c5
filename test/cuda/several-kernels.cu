// Kernels of a file are compared at the same time. The result is what it is one
// after the other, and of each alone.
// REQUIRES: clang-cuda
// DEFINE: %{options} =
// DEFINE: %{build} = %device %regdem %s -Rpass-missed=regdem %{options}
// RUN: rm -rf %t && mkdir %t
// RUN: %{build} -o %t/all.s -mllvm -regdem-report=%t/all.jsonl 2> %t/all.txt
// RUN: FileCheck %s < %t/all.txt
// RUN: %report %t/all.jsonl first "from_sass" "len(variants) == 2"
// RUN: %report %t/all.jsonl second "from_sass" "len(variants) == 2"
// CHECK: remark: 'first' left as it is: more warps would not help
// CHECK: remark: 'second' left as it is: more warps would not help
// CHECK-NOT: warning
// REDEFINE: %{options} = -mllvm -regdem-jobs=1
// RUN: %{build} -o %t/one.s -mllvm -regdem-report=%t/one.jsonl 2> %t/one.txt
// RUN: cmp %t/all.s %t/one.s && cmp %t/all.jsonl %t/one.jsonl && cmp %t/all.txt %t/one.txt
// REDEFINE: %{options} = -mllvm -regdem-kernels=first
// RUN: %{build} -o %t/alone.s -mllvm -regdem-report=%t/alone.jsonl 2> /dev/null
// REDEFINE: %{options} = -mllvm -regdem-kernels=second
// RUN: %{build} -o %t/alone.s -mllvm -regdem-report=%t/alone.jsonl 2> /dev/null
// RUN: cmp %t/all.jsonl %t/alone.jsonl
// Code that branches through a table is read, too, and a division, whose slow
// path is known by its name.
// REDEFINE: %{options} = -DTABLE
// RUN: %{build} -o %t/table.s -mllvm -regdem-report=%t/table.jsonl 2> %t/table.txt
// RUN: FileCheck %s < %t/table.txt
// RUN: %report %t/table.jsonl first "from_sass"
// RUN: %report %t/table.jsonl branches "from_sass"
// RUN: %report %t/table.jsonl divides "from_sass"
#include "Inputs/mix.h"
#include "Inputs/step.h"

extern "C" __global__ void __launch_bounds__(256)
    first(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
extern "C" __global__ void __launch_bounds__(256)
    second(unsigned *Data, int Rounds) {
  mix<52>(Data, Rounds, threadIdx.x);
}
#ifdef TABLE
extern "C" __global__ void __launch_bounds__(256)
    branches(unsigned *Data, int Rounds) {
  step(Data, Data[blockIdx.x]);
  mix<48>(Data, Rounds, threadIdx.x);
}
extern "C" __global__ void __launch_bounds__(256)
    divides(unsigned *Data, int Rounds) {
  mix<52>(Data, Rounds, threadIdx.x);
  float Top = __uint_as_float(Data[threadIdx.x]);
  Data[threadIdx.x] = __float_as_uint(Top / __uint_as_float(Data[blockIdx.x]));
}
#endif
