// ptxas spills to shared memory in kernels that call functions, too, unless
// these keep to the ABI: then it refuses, and the kernel is built without.
// REQUIRES: clang-cuda, ptxas
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-effort=3 -mllvm -regdem-pragma=on -mllvm -regdem-report=%t.jsonl -Werror %s -o %t.s
// RUN: %report %t.jsonl calls "any(v['smem_spilling'] for v in variants)"
// RUN: %report %t.jsonl recursive "any(v['smem_spilling'] for v in variants)" "all('refused' in v for v in variants if v['smem_spilling'])"
// RUN: %ptxas %t.s -o %t.cubin
//
// Code in which something has a function's address is not tried: what ptxas
// makes of the kernel alone does not tell what becomes of it there.
// RUN: rm -f %t.taken.jsonl
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-effort=3 -mllvm -regdem-pragma=on -mllvm -regdem-report=%t.taken.jsonl -DTAKEN -Werror %s -o %t.s
// RUN: %report %t.taken.jsonl calls "len(variants) > 1" "not any(v['smem_spilling'] for v in variants)"
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

__device__ __noinline__ void work(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
extern "C" __global__ void __launch_bounds__(256, 6)
    calls(unsigned *Data, int Rounds) {
  work(Data, Rounds);
  mix<48>(Data + 64, Rounds, threadIdx.x);
}

__device__ __noinline__ void again(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
  if (Data[Rounds])
    again(Data + 1, Rounds - 1);
  mix<48>(Data + 2, Rounds, threadIdx.x);
}
extern "C" __global__ void __launch_bounds__(256, 6)
    recursive(unsigned *Data, int Rounds) {
  again(Data, Rounds);
}

#ifdef TAKEN
__global__ void tells(void (**Where)(unsigned *, int)) { *Where = work; }
#endif
