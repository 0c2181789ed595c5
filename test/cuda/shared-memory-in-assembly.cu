// Shared memory that inline assembly declares shows in no variable of the
// module: its size is not known, so the kernel is left as it is. Instructions
// on shared memory declare none.
// REQUIRES: clang-cuda
// RUN: %device %demote %s -o %t.s -Rpass=regdem -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

// CHECK: remark: 'declares' left as it is: inline assembly declares shared memory, whose size is not known here: declare it as __shared__
extern "C" __global__ void __launch_bounds__(256, 6)
    declares(unsigned *Data, int Rounds) {
  asm volatile("{ .shared .align 4 .b8 Mine[40960];\n"
               "st.shared.u32 [Mine], %0; }" ::"r"(Rounds));
  mix<48>(Data, Rounds, threadIdx.x);
}

// CHECK: remark: 'calls' left as it is: inline assembly declares shared memory
__device__ __noinline__ void callee(unsigned X) {
  asm volatile("{\n.shared .u32 Word;\nst.shared.u32 [Word], %0; }" ::"r"(X));
}
extern "C" __global__ void __launch_bounds__(256, 6)
    calls(unsigned *Data, int Rounds) {
  callee(Rounds);
  mix<48>(Data, Rounds, threadIdx.x);
}

// CHECK: remark: 'uses' held to 40 registers
extern "C" __global__ void __launch_bounds__(256, 6)
    uses(unsigned *Data, int Rounds) {
  __shared__ unsigned Word;
  asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(&Word))),
               "r"(Rounds));
  mix<48>(Data, Rounds, threadIdx.x);
}
