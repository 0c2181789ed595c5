// A kernel that gains by more warps.
// Waits for one load after the other once it has used many registers.
__device__ __forceinline__ void follow(const int *__restrict__ Next,
                                       const float *__restrict__ Values,
                                       float *__restrict__ Out, int Steps) {
  constexpr int Count = 32;
  int Thread = blockIdx.x * blockDim.x + threadIdx.x, At = Thread;
  float V[Count], Sum = 0;
#pragma unroll
  for (int K = 0; K < Count; ++K)
    V[K] = Values[At + K * 4096];
#pragma unroll
  for (int K = 0; K < Count; ++K)
    Sum = Sum * V[K] + V[Count - 1 - K];
#pragma unroll 1
  for (int I = 0; I < Steps; ++I) {
#pragma unroll
    for (int K = 0; K < 8; ++K)
      At = Next[At];
    Sum += Values[At];
  }
  Out[Thread] = Sum;
}
