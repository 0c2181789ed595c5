// A thread's frame lies at a multiple of its widest access, whether that is to
// local memory or by a generic address, as in a function that gets addresses of
// other memory, too.
// REQUIRES: ptxas, clang-cuda
// RUN: %device %s -o %t.ptx
// RUN: %ptxas %t.ptx -o %t.cubin
// RUN: %regdem-finish --min-blocks=1 --all --print %t.cubin -o %t.out | FileCheck %s
// 64 threads of 80 bytes each, and 16 for where dynamic shared memory begins.
// CHECK: 'fills': frame of 80 bytes a thread, {{.*}} moved from local to shared memory, 5136 bytes a block
__device__ __noinline__ void fill4(int4 *To, int Value) {
  *To = make_int4(Value, Value + 1, Value * Value, Value - 3);
}

extern "C" __global__ void __launch_bounds__(64)
    fills(int *Out, const int *In, int Count) {
  __align__(16) int Table[20];
  fill4((int4 *)Table, Count);
  fill4((int4 *)(Out + 256 + 4 * threadIdx.x), Count);
  fill4((int4 *)(Table + 16), Count + 1);
#pragma unroll 1
  for (int I = 0; I < 30; ++I)
    Table[In[I] & 15] += I;
  Out[threadIdx.x] = Table[Count & 15];
}
