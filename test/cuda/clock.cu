// Code between two reads of the clock is what is timed: blocks that read it
// keep their order.
// REQUIRES: clang-cuda
// RUN: %device %regdem -mllvm -regdem-build=cap=32 %s -o %t.capped.s
// RUN: %device %regdem -mllvm "-regdem-build=cap=32 order=deep" %s -o %t.deep.s
// RUN: cmp %t.capped.s %t.deep.s
// RUN: %device %regdem -DUNTIMED -mllvm -regdem-build=cap=32 %s -o %t.capped.s
// RUN: %device %regdem -DUNTIMED -mllvm "-regdem-build=cap=32 order=deep" %s -o %t.deep.s
// RUN: not cmp %t.capped.s %t.deep.s
extern "C" __global__ void __launch_bounds__(256)
    timed(const int *__restrict__ In, int *Out, long long *Times, int N) {
  int V[48];
  auto Now = [] {
#ifdef UNTIMED
    return 0ll;
#else
    return clock64();
#endif
  };
  long long Begin = Now();
#pragma unroll
  for (int I = 0; I < 48; ++I)
    V[I] = In[I * 257 + threadIdx.x];
  long long Loaded = Now();
#pragma unroll
  for (int I = 0; I < 48; ++I)
    V[I] = V[I] * V[(I + 7) % 48] + In[I * 3 + N];
  long long Done = Now();
#pragma unroll
  for (int I = 0; I < 48; ++I)
    Out[I * 257 + threadIdx.x] = V[I] ^ V[(I + 11) % 48];
  Times[threadIdx.x] = Loaded - Begin;
  Times[threadIdx.x + 256] = Done - Loaded;
}
