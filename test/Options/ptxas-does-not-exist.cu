// A path of ptxas that leads to no program is told in one warning, and the code
// is the stock compiler's.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-ptxas=/nowhere/ptxas %s -o %t.s 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-ptxas=%S %s -o %t.s 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: cmp %t.stock.s %t.s
#include "../cuda/Inputs/mix.h"

// CHECK: warning: regdem: no assembler at '/nowhere/ptxas'; kernels are left as they are
// CHECK-NEXT: 1 warning generated
// FOLDER: warning: regdem: no assembler at '{{.*}}Options'; kernels are left as they are
// FOLDER-NEXT: 1 warning generated
extern "C" __global__ void __launch_bounds__(256, 6)
    asked(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
