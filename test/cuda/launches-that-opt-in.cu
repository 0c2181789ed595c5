// Where one launch has more than 48 KB of dynamic shared memory and another one
// up to 48 KB, for which no kernel opts in, what may be added to the one would
// have the other fail.
// REQUIRES: clang-cuda, ptxas
// RUN: %clang-cuda %regdem -c %s -o %t.o -Rpass=regdem -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: %clang-cuda %regdem -DSMALL=60000 -c %s -o %t.o -Rpass=regdem 2>&1 | FileCheck %s --check-prefix=ALIKE
// CHECK-NOT: words a thread
// CHECK: remark: 'fitted{{.*}}': frame of {{[0-9]+}} bytes a thread stays in local memory: it may use dynamic shared memory
// ALIKE: remark: 'fitted{{.*}}' {{.*}}words a thread (16384 bytes a block) in shared memory
#ifndef SMALL
#define SMALL 40000
#endif

__global__ void __launch_bounds__(256, 3)
    fitted(const float *In, float *Out, int N) {
  float V[110], Sum = 0;
#pragma unroll
  for (int I = 0; I < 110; ++I)
    V[I] = In[I * 256 + threadIdx.x];
  for (int K = 0; K < N; ++K) {
    float A = In[K * 32 + threadIdx.x];
#pragma unroll
    for (int I = 0; I < 110; ++I)
      V[I] = V[I] * A + V[(I * 7 + 3) % 110];
  }
#pragma unroll
  for (int I = 0; I < 110; ++I)
    Sum += V[I] * I;
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

void run(const float *In, float *Out) {
  fitted<<<100, 256, SMALL>>>(In, Out, 1);
  cudaFuncSetAttribute(fitted, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       60000);
  fitted<<<100, 256, 60000>>>(In, Out, 1);
}
