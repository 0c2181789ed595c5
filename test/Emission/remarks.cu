// One analysis remark a kernel with its figures, and either one of what was
// done or one of why nothing was; each is switched on by its own option.
// REQUIRES: clang-cuda
// RUN: %device %demote %s -o %t.s -Rpass=regdem -Rpass-missed=regdem -Rpass-analysis=regdem 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %device %demote %s -o %t.s -Rpass=regdem 2>&1 | FileCheck %s --check-prefix=PASSED --implicit-check-not=remark:
// RUN: %device %demote %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s --check-prefix=MISSED --implicit-check-not=remark:
// RUN: %device %demote %s -o %t.s 2>&1 | count 0
#include "../cuda/Inputs/mix.h"

// ALL: remark: 'demoted': 256 threads a block (maxntid), pressure [[#]] -> [[#]] words, blocks per SM {{.*}} [-Rpass-analysis=regdem]
// ALL: remark: 'demoted' held to 40 registers {{.*}} [-Rpass=regdem]
// ALL: remark: 'left': 256 threads a block (assumed){{.*}} [-Rpass-analysis=regdem]
// ALL: remark: 'left' left as it is: {{.*}} [-Rpass-missed=regdem]
// PASSED: remark: 'demoted' held to
// MISSED: remark: 'left' left as it is
extern "C" __global__ void __launch_bounds__(256, 6)
    demoted(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

extern "C" __global__ void left(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
