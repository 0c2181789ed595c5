// In a whole program the dynamic shared memory of one kernel has ptxas round up
// that of all others: a decision holds for its alignment only.
// REQUIRES: clang-cuda, ptxas
// RUN: rm -rf %t.cache
// DEFINE: %{compile} = %device %regdem -mllvm -regdem-cache=%t.cache %s
// RUN: %{compile} -DALIGNMENT=4 -o %t.cold.s
// RUN: %{compile} -DALIGNMENT=1024 -o %t.s
// RUN: %device %regdem -mllvm -regdem-cache=off -DALIGNMENT=1024 %s -o %t.uncached.s
// RUN: cmp %t.uncached.s %t.s
__global__ void __launch_bounds__(256, 8)
    fitted(const float *In, float *Out, int N) {
  __shared__ float Own[25];
  if (threadIdx.x < 25)
    Own[threadIdx.x] = N;
  __syncthreads();
  float V[52], Sum = 0;
#pragma unroll
  for (int I = 0; I < 52; ++I)
    V[I] = In[I * 256 + threadIdx.x];
  for (int K = 0; K < N; ++K) {
    float A = In[K * 32 + threadIdx.x];
#pragma unroll
    for (int I = 0; I < 52; ++I)
      V[I] = V[I] * A + V[(I * 7 + 3) % 52];
  }
#pragma unroll
  for (int I = 0; I < 52; ++I)
    Sum += V[I] * I;
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum + Own[N];
}

extern __shared__ __align__(ALIGNMENT)
unsigned char Tile[];

__global__ void other(float *Out, int N) {
  Tile[threadIdx.x] = N;
  __syncthreads();
  Out[threadIdx.x] = Tile[N];
}
