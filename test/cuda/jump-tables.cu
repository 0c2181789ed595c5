// ptxas may lose a value at a branch by a table if it runs out of registers:
// only stock's build, and one under a cap that stock keeps to anyway, have such
// branches. Of a profile's build and a stated one that is not known.
// REQUIRES: clang-cuda
// RUN: %device %s -o - | FileCheck %s --check-prefixes=CHECK,TABLES
// RUN: %device %regdem -mllvm -regdem-max-regs=40 %s -o - | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: %device %regdem -mllvm "-regdem-build=cap=40 demote=belady:36" %s -o - | FileCheck %s --check-prefix=PROFILE
// RUN: %device %regdem -mllvm -regdem-max-regs=40 -mllvm -regdem-mode=off %s -o - | FileCheck %s --check-prefixes=CHECK,TABLES
// RUN: %device %regdem -mllvm -regdem-max-regs=128 %s -o - | FileCheck %s --check-prefixes=CHECK,TABLES
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-report=%t.jsonl %s -o - | FileCheck %s --check-prefixes=CHECK,TABLES
// RUN: %profile %t.jsonl roomy decision=cap max_regs=40 > %t.json
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-profile=%t.json %s -o - | FileCheck %s --check-prefix=PROFILE
// RUN: %profile %t.jsonl roomy decision=stock > %t.json
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-profile=%t.json %s -o - | FileCheck %s --check-prefixes=CHECK,TABLES
#include "Inputs/mix-in-steps.h"
#include "Inputs/step.h"

// The kernel's own variable leaves shared memory for four words a thread.
// CHECK-LABEL: .entry crowded(
// TABLES: brx.idx
// NONE-NOT: brx.idx
extern "C" __global__ void __launch_bounds__(256)
    crowded(unsigned *Data, int Rounds) {
  __shared__ unsigned Buffer[11264];
  Buffer[threadIdx.x * 44] = Data[threadIdx.x];
  __syncthreads();
  mixInSteps<64, step>(Data + Buffer[Data[0] % 11264], Rounds);
}

// CHECK-LABEL: .entry roomy(
// CHECK: brx.idx
// PROFILE-LABEL: .entry roomy(
// PROFILE-NOT: brx.idx
extern "C" __global__ void __launch_bounds__(256)
    roomy(unsigned *Data, int Rounds) {
  mixInSteps<8, step>(Data, Rounds);
}
