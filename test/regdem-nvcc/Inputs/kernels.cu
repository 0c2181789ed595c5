// Two kernels whose arrays data index, so that ptxas keeps them in local
// memory, which can move to shared memory. twice calls other, which lies in
// other.cu where programs are linked of several objects.
#ifdef APART
__device__ int other(int Value);
#else
#include "other.cu"
#endif

__global__ void __launch_bounds__(64) once(int *Out, const int *In) {
  int Bins[8] = {};
  for (int I = 0; I != 32; ++I)
    Bins[In[I] & 7] += I;
  Out[threadIdx.x] = Bins[In[threadIdx.x] & 7];
}

#ifdef DYNAMIC
extern __shared__ int Shared[];
#endif

__global__ void __launch_bounds__(64) twice(int *Out, const int *In) {
  int Bins[8] = {};
#ifdef DYNAMIC
  Bins[0] = Shared[threadIdx.x];
#endif
  for (int I = 0; I != 32; ++I)
    Bins[In[I] & 7] += I;
  Out[threadIdx.x] = other(Bins[In[threadIdx.x] & 7]);
}

int main() {
#ifdef PREFERRED
  cudaDeviceSetCacheConfig(PREFERRED);
#endif
#ifdef DYNAMIC
  constexpr auto Most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  cudaFuncSetAttribute(twice, Most, 232448);
#endif
  once<<<1, 64>>>(nullptr, nullptr);
  twice<<<2, 32>>>(nullptr, nullptr);
}
