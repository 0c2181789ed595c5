// With -regdem-budget a file's kernels try no more builds than that, each its
// share, whatever the others take and however many jobs there are; with a share
// of less than two none are compared, as without ptxas. It is part of what the
// decision cache goes by.
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t
// RUN: printf '#!/bin/sh\necho run >> %t/log\nexec %cuda/bin/ptxas "$@"\n' > %t/ptxas && chmod +x %t/ptxas
// DEFINE: %{options} =
// DEFINE: %{build} = rm -f %t/log %t/report.jsonl && %device %regdem %s -mllvm -regdem-ptxas=%t/ptxas -mllvm -regdem-report=%t/report.jsonl -Rpass=regdem -Rpass-missed=regdem -o %t/out.s %{options}
// REDEFINE: %{options} = -mllvm -regdem-budget=7 -mllvm -regdem-jobs=1
// RUN: %{build} 2>&1 | FileCheck %s
// RUN: cp %t/out.s %t/one.s && cp %t/report.jsonl %t/one.jsonl
// RUN: %report %t/report.jsonl first "len(variants) <= 3"
// RUN: %report %t/report.jsonl second "len(variants) == 2" "'budget_ended' not in records[1]"
// RUN: %report %t/report.jsonl third "len(variants) == 2" "budget_ended" "max_regs == 24" "work > 2 * 300"
// CHECK: more builds would have been tried: see -mllvm -regdem-budget
// REDEFINE: %{options} = -mllvm -regdem-budget=7 -mllvm -regdem-jobs=4
// RUN: %{build} 2> /dev/null && cmp %t/one.s %t/out.s && cmp %t/one.jsonl %t/report.jsonl

// The third kernel alone, with its share, is decided in the same way.
// REDEFINE: %{options} = -mllvm -regdem-budget=2 -mllvm -regdem-kernels=third
// RUN: %{build} 2> /dev/null && tail -1 %t/one.jsonl | cmp - %t/report.jsonl

// Nothing is assembled without a share; the cap holds all the same.
// REDEFINE: %{options} = -mllvm -regdem-budget=0
// RUN: %{build} 2>&1 | FileCheck %s --check-prefix=NONE && not ls %t/log
// RUN: %report %t/report.jsonl third estimated "max_regs == 24"
// NONE: 'first' left as it is: builds of it were not compared: they would cost more than the file's code allows, or its other kernels left (-mllvm -regdem-budget)
// RUN: cp %t/out.s %t/none.s
// RUN: %device %regdem %s -mllvm -regdem-ptxas=off -o %t/out.s && cmp %t/none.s %t/out.s
// REDEFINE: %{options} = -mllvm -regdem-budget=4
// RUN: %{build} 2> /dev/null && %report %t/report.jsonl first "len(variants) == 2"
// RUN: %report %t/report.jsonl second estimated && %report %t/report.jsonl third estimated

// Enough changes nothing.
// REDEFINE: %{options} =
// RUN: %{build} 2> /dev/null && cp %t/out.s %t/all.s && cp %t/report.jsonl %t/all.jsonl
// REDEFINE: %{options} = -mllvm -regdem-budget=1000
// RUN: %{build} 2> /dev/null && cmp %t/all.s %t/out.s && cmp %t/all.jsonl %t/report.jsonl

// REDEFINE: %{options} = -mllvm -regdem-cache=%t/cache -mllvm -regdem-budget=7
// RUN: %{build} 2> /dev/null && cmp %t/one.s %t/out.s && %report %t/report.jsonl third "'cached' not in records[2]"
// RUN: %{build} 2> /dev/null && cmp %t/one.s %t/out.s && %report %t/report.jsonl third cached budget_ended "work > 2 * 300"
// REDEFINE: %{options} = -mllvm -regdem-cache=%t/cache -mllvm -regdem-budget=30
// RUN: %{build} 2> /dev/null && %report %t/report.jsonl third "'cached' not in records[2]"
#include "Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256)
    first(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
extern "C" __global__ void __launch_bounds__(256)
    second(unsigned *Data, int Rounds) {
  mix<52>(Data, Rounds, threadIdx.x);
}
__attribute__((annotate("regdem:max-regs=24"))) extern "C" __global__ void
__launch_bounds__(256) third(unsigned *Data, int Rounds) {
  mix<40>(Data, Rounds, threadIdx.x);
}
