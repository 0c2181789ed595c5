// A kernel that stays as it is costs no second code generation: the text of
// the stock build, of which its pressure is known, is what is printed.
// REQUIRES: clang-cuda, ptxas
// DEFINE: %{options} =
// DEFINE: %{build} = %device %regdem %s -o %t.s -mllvm -print-after=codegenprepare %{options}
// RUN: %device %s -o %t.stock.s
// RUN: %{build} 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: cmp %t.stock.s %t.s
// With remarks or a report to write, the kernel is generated for them; and if
// it is built in another way.
// REDEFINE: %{options} = -Rpass-missed=regdem
// RUN: %{build} 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: cmp %t.stock.s %t.s
// REDEFINE: %{options} = -fsave-optimization-record -foptimization-record-file=%t.yaml
// RUN: %{build} 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: grep -q "Pass: *regdem" %t.yaml
// RUN: rm -f %t.jsonl
// REDEFINE: %{options} = -mllvm -regdem-report=%t.jsonl
// RUN: %{build} 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %report %t.jsonl plain "decision == 'stock'"
// RUN: cmp %t.stock.s %t.s
// REDEFINE: %{options} = -DWORDS=48 -mllvm -regdem-max-regs=40
// RUN: %{build} 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not cmp %t.stock.s %t.s
// Debug information is the same, too.
// REDEFINE: %{options} = -g
// RUN: %device %s -o %t.stock.s -g
// RUN: %{build} 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: cmp %t.stock.s %t.s
// RUN: FileCheck %s --check-prefix=LINE --input-file=%t.s
// LINE: .loc
// What has no part in the kernel is printed as well.
// REDEFINE: %{options} = -DMORE
// RUN: %device %s -o %t.stock.s -DMORE
// RUN: %{build} 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: cmp %t.stock.s %t.s
// RUN: FileCheck %s --check-prefix=MORE --input-file=%t.s
// MORE: Table
// MORE: .entry plain(
// And what code generation says is said.
// REDEFINE: %{options} = -DWARN
// RUN: %{build} 2>&1 | FileCheck %s --check-prefix=WARNS
// WARNS: warning: call to {{.*}} think twice
// ONCE-COUNT-1: IR Dump After CodeGen Prepare
// ONCE-NOT: IR Dump After CodeGen Prepare
// TWICE-COUNT-2: IR Dump After CodeGen Prepare
#include "Inputs/mix.h"

#ifndef WORDS
#define WORDS 8
#endif
#ifdef MORE
__device__ unsigned Table[4] = {1, 2, 3, 4};
extern "C" __global__ void look(unsigned *Data) {
  Data[threadIdx.x] = Table[threadIdx.x & 3];
}
#endif
#ifdef WARN
__attribute__((noinline, warning("think twice"))) __device__ void
doubtful(unsigned *Data) {
  Data[threadIdx.x] += 1;
}
#endif

extern "C" __global__ void __launch_bounds__(256)
    plain(unsigned *Data, int Rounds) {
  mix<WORDS>(Data, Rounds, threadIdx.x);
#ifdef WARN
  doubtful(Data);
#endif
}
