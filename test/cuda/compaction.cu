// A pointer that goes on by one or not, at each of many places, has one way to
// each of them to be looked at, not all: 2 to the power of 48 have no end.
// REQUIRES: clang-cuda
// RUN: %device %regdem -Rpass=regdem -Rpass-missed=regdem %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: 'compact'
extern "C" __global__ void __launch_bounds__(128)
    compact(int *Out, const int *In, int Least) {
  int Kept[48] = {}, *Next = Kept;
#pragma unroll
  for (int I = 0; I < 48; ++I)
    if (int V = In[I * 128 + threadIdx.x]; V > Least)
      *Next++ = V;
  int Sum = 0;
  for (int I = 0; I < 48; ++I)
    Sum = Sum * 31 + Kept[I];
  Out[threadIdx.x] = Sum;
}
