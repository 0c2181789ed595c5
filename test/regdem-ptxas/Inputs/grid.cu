// The same array, in a kernel that waits for all blocks of its grid and in one
// that does not.
#include <cooperative_groups.h>

__device__ __forceinline__ void count(unsigned *Out, const unsigned *In) {
  unsigned Bins[40] = {};
  for (int I = 0; I != 64; ++I) {
    unsigned V = In[I * blockDim.x + threadIdx.x];
    Bins[V % 40] += V;
    Bins[(V >> 8) % 40] ^= V;
  }
  for (int I = 0; I != 40; ++I)
    Out[I * blockDim.x + threadIdx.x] = Bins[I];
}

__global__ void __launch_bounds__(128) free(unsigned *Out, const unsigned *In) {
  count(Out, In);
}
__global__ void __launch_bounds__(128)
    waits(unsigned *Out, const unsigned *In) {
  count(Out, In);
  cooperative_groups::this_grid().sync();
  count(Out, Out);
}
