// Under a cap of an option each kernel is held to it wherever ptxas makes
// correct code; a warning names those that are not, and says why.
// REQUIRES: clang-cuda
// RUN: %clang -x cuda --cuda-path=%cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90a -O3 --cuda-device-only -S %regdem -mllvm "-regdem-build=cap=32 demote=belady:28" %s -o %t.s 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.s --check-prefix=PTX
// RUN: %cuda/bin/ptxas -arch=sm_90a %t.s -o %t.cubin
// RUN: %device -O0 %regdem -mllvm "-regdem-build=cap=32 demote=belady:28" -DSMALL %s -o %t.O0.s 2>&1 | FileCheck %s --check-prefix=O0
#include "Inputs/mix.h"

// O0: warning: regdem: 'fits' is not held to 32 registers: it is compiled with -O0
extern "C" __global__ void fits(unsigned *Data) { Data[threadIdx.x] = 1; }

#ifndef SMALL
// PTX-LABEL: .entry declares(
// PTX: .maxnreg 32
extern "C" __global__ void __launch_bounds__(256)
    declares(unsigned *Data, int Rounds) {
  asm volatile("{ .shared .align 4 .b8 Mine[4096];\n"
               "st.shared.u32 [Mine], %0; }" ::"r"(Rounds));
  mix<48>(Data, Rounds, threadIdx.x);
}

// PTX-LABEL: .entry changes(
// PTX-NOT: .maxnreg
// CHECK-DAG: warning: regdem: 'changes' is not held to 32 registers: the kernel changes its register count with setmaxnreg
extern "C" __global__ void __launch_bounds__(256)
    changes(unsigned *Data, int Rounds) {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
  mix<48>(Data, Rounds, threadIdx.x);
}

// PTX-LABEL: .entry indirect(
// PTX-NOT: .maxnreg
// CHECK-DAG: warning: regdem: 'indirect' is not held to 32 registers: it calls functions whose use of shared memory is not known here (through a pointer: call them by name)
extern "C" __global__ void __launch_bounds__(256)
    indirect(unsigned *Data, int (*Rounds)(int)) {
  mix<48>(Data, Rounds(3), threadIdx.x);
}

// The kernel's own bounds hold anyway.
// PTX-LABEL: .entry bounded(
// CHECK-NOT: 'bounded'
extern "C" __global__ void __launch_bounds__(256, 8)
    bounded(unsigned *Data, int (*Rounds)(int)) {
  mix<48>(Data, Rounds(3), threadIdx.x);
}
#endif
