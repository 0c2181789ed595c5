// A 3D stencil, for which loop strength reduction keeps a pointer for each row
// that is read, where one for all would do.
#ifndef REGDEM_TEST_CUDA_STENCIL_H
#define REGDEM_TEST_CUDA_STENCIL_H

constexpr int Radius = 6;

template <int K>
__device__ __forceinline__ float neighbours(const float *__restrict__ P,
                                            int Pitch, const float *Queue) {
  if constexpr (K > Radius)
    return 0;
  else
    return (1.0f / K) * (Queue[Radius - K] + Queue[Radius + K] + P[-K] + P[K] +
                         P[-K * Pitch] + P[K * Pitch]) +
           neighbours<K + 1>(P, Pitch, Queue);
}

/// Goes up a column of the grid, by blocks of 256 threads.
__device__ __forceinline__ void climb(const float *__restrict__ In,
                                      float *__restrict__ Out, int Pitch,
                                      int Rows, int Steps) {
  int Plane = Pitch * Rows;
  int Index = Radius * Plane + blockIdx.x * 256 + threadIdx.x;
  float Queue[2 * Radius + 1];
#pragma unroll
  for (int K = 1; K < 2 * Radius + 1; ++K)
    Queue[K] = In[Index + (K - Radius - 1) * Plane];
#pragma unroll 1
  for (int Step = 0; Step < Steps; ++Step, Index += Plane) {
#pragma unroll
    for (int K = 0; K < 2 * Radius; ++K)
      Queue[K] = Queue[K + 1];
    Queue[2 * Radius] = In[Index + Radius * Plane];
    Out[Index] = Queue[Radius] + neighbours<1>(In + Index, Pitch, Queue);
  }
}

#endif // REGDEM_TEST_CUDA_STENCIL_H
