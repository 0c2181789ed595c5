// What LLVM says when it generates code is said once, with the source's line,
// and an error is no other error for the candidates that were compiled before.
// REQUIRES: clang-cuda, ptxas
// RUN: %device %regdem -mllvm -regdem-max-regs=40 -DATTRIBUTE=warning %s -o %t.s 2> %t.err
// RUN: FileCheck %s --check-prefix=WARNS --input-file=%t.err
// RUN: not %device %regdem -mllvm -regdem-max-regs=40 -DATTRIBUTE=error %s -o %t.s 2> %t.err
// RUN: FileCheck %s --check-prefix=FAILS --input-file=%t.err
#include "Inputs/mix.h"

__attribute__((noinline, ATTRIBUTE("think twice"))) __device__ void
doubtful(unsigned *Data) {
  Data[threadIdx.x] += 1;
}

// WARNS-NOT: {{warning|error}}:
// WARNS: [[FILE:.*code-generation-speaks.cu]]:[[# @LINE + 9]]:3: warning: call to {{.*}} think twice
// WARNS-NOT: {{warning|error}}:
// FAILS-NOT: {{warning|error}}:
// FAILS: warning: regdem: 'asked': {{.*}}think twice; the kernel is left as it is
// FAILS: code-generation-speaks.cu:[[# @LINE + 5]]:3: error: call to {{.*}} think twice
// FAILS: error generated
extern "C" __global__ void __launch_bounds__(256)
    asked(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
  doubtful(Data);
}
