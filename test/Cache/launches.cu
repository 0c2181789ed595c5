// Of kernels whose launches may choose among builds it is cached, too, what
// their stock builds show: a second compilation generates no code and asks no
// tool to decide, and makes the same program.
// REQUIRES: ptxas, clang-cuda
// DEFINE: %{build} = env CUDA_PATH=%cuda %launches -mllvm -regdem-cache=%t/cache -Rpass=regdem -Rpass-missed=regdem -c %s
// RUN: rm -rf %t && mkdir %t
// RUN: %{build} -mllvm -regdem-time-trace=%t/cold.json -o %t/cold.o 2> %t/cold.txt
// RUN: %{build} -mllvm -regdem-time-trace=%t/warm.json -o %t/warm.o 2> %t/warm.txt
// RUN: cmp %t/cold.o %t/warm.o
// RUN: sed 's/, cached//' %t/warm.txt | cmp - %t/cold.txt
// RUN: FileCheck %s < %t/cold.txt
// RUN: grep 'RegDem generate PTX' %t/cold-sm_90.json
// RUN: grep 'RegDem roundings' %t/cold-sm_90.json
// RUN: not grep -E 'RegDem (generate PTX|ptxas|read code|roundings|search)' %t/warm-sm_90.json

// CHECK-DAG: 'mixed'{{.*}}host code chooses at launch
// CHECK-DAG: 'fused' left as it is: no build
// CHECK-DAG: 'small' left as it is: registers do not limit it
#include "../cuda/Inputs/mix.h"

extern "C" __global__ void fused(const float *in, float *out, int n) {
  float v[40], most = 0;
#pragma unroll
  for (int i = 0; i < 40; ++i)
    v[i] = in[threadIdx.x + i * n];
  for (int r = 0; r < n; ++r)
#pragma unroll
    for (int i = 0; i < 40; ++i) {
      float product = v[i] * v[(i + 7) % 40];
      v[i] = product + v[(i + 1) % 40];
      most = fmaxf(most, product);
    }
  float sum = most;
#pragma unroll
  for (int i = 0; i < 40; ++i)
    sum += v[i];
  out[threadIdx.x] = sum;
}

extern "C" __global__ void mixed(unsigned *data, int rounds) {
  mix<64>(data, rounds, threadIdx.x);
}

extern "C" __global__ void small(unsigned *data) { data[threadIdx.x] = 1; }

void launch(float *in, float *out, unsigned *data, int n, int threads) {
  fused<<<64, threads>>>(in, out, n);
  mixed<<<64, threads>>>(data, n);
  small<<<64, threads>>>(data);
}
