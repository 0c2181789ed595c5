// What is promised of kernels holds once their frames could move: blocks per SM
// of launch bounds, all blocks of a kernel that synchronizes its grid,
// opt-outs, and the dynamic shared memory that an annotation states.
// REQUIRES: ptxas, clang-cuda
// RUN: %clang-cuda %regdem -I%cuda/include/cccl -mllvm -regdem-arrays=off -mllvm -regdem-dynamic-smem=0 -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not="'optedOut{{.*}}moved"
// Nor do they break with regdem-ptxas alone, which reads them in directives:
// RUN: %device -I%cuda/include/cccl -x cuda %s -o %t.ptx
// RUN: %regdem-ptxas -v -arch=sm_90 %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTX

// CHECK-DAG: 'barrier({{.*}})': frame of {{[0-9]+}} bytes a thread stays in local memory: an SM would hold {{[0-9]+}} blocks of 32 threads instead of 32, which may wait for each other (a cooperative launch, or a cluster)
// CHECK-DAG: 'bounded({{.*}})': frame of 160 bytes a thread stays in local memory: an SM would hold 5 blocks of 256 threads instead of 8, which launch bounds or min-blocks promise
// CHECK-DAG: 'annotated({{.*}})': frame of 160 bytes a thread stays in local memory: 256 frames of 176 bytes do not fit into 49152 bytes of shared memory beside 20000 of its own
// CHECK-DAG: 'free({{.*}})': frame of 160 bytes a thread, {{.*}} moved from local to shared memory
// PTX-DAG: 'barrier({{.*}})': frame of {{[0-9]+}} bytes a thread stays in local memory: {{it may use dynamic shared memory|an SM would hold}}
// PTX-DAG: 'bounded({{.*}})': frame of 160 bytes a thread stays in local memory: an SM would hold 5 blocks of 256 threads instead of 8
#include <cooperative_groups.h>

__device__ void fill(unsigned *bins, const unsigned *in, int n) {
  for (int i = 0; i < 40; ++i)
    bins[i] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    unsigned v = in[i];
    bins[v % 40] += v;
    bins[(v >> 8) % 40] ^= v;
    bins[(v >> 16) % 40] += 3;
  }
}
__device__ void add(unsigned *out, const unsigned *bins) {
  for (int i = 0; i < 40; ++i)
    atomicAdd(&out[i], bins[i]);
}

__global__ void __launch_bounds__(128)
    barrier(const unsigned *in, unsigned *out, int n) {
  unsigned bins[40];
  fill(bins, in, n);
  add(out, bins);
  cooperative_groups::this_grid().sync();
  add(out + 40, bins);
}

__global__ void __launch_bounds__(256, 8)
    bounded(const unsigned *in, unsigned *out, int n) {
  unsigned bins[40];
  fill(bins, in, n);
  add(out, bins);
}

__attribute__((annotate("regdem:mode=off"))) __global__ void
__launch_bounds__(128) optedOut(const unsigned *in, unsigned *out, int n) {
  unsigned bins[40];
  fill(bins, in, n);
  add(out, bins);
}

__attribute__((annotate("regdem:dynamic-smem=20000"))) __global__ void
__launch_bounds__(256) annotated(const unsigned *in, unsigned *out, int n) {
  extern __shared__ unsigned own[];
  unsigned bins[40];
  own[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  fill(bins, in, n);
  add(out, bins);
  out[threadIdx.x] += own[255 - threadIdx.x];
}

__global__ void __launch_bounds__(128)
    free(const unsigned *in, unsigned *out, int n) {
  unsigned bins[40];
  fill(bins, in, n);
  add(out, bins);
}

int main() {}
