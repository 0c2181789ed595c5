// A program may ask for all dynamic shared memory that a block can have. A
// kernel to which RegDem has given static shared memory then gets what is left,
// which the launches that are shown fit into; others get what is asked.
// REQUIRES: clang-cuda
// RUN: %clang-cuda %regdem -mllvm -regdem-arrays=off -mllvm -regdem-dynamic-smem=4096 -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: env FAKE_STATIC=_Z5tablePiPKii=4624 %t.exe | FileCheck %s
// Without the change the call would fail.
// RUN: %clang-cuda -c %s -o %t.stock.o
// RUN: %clang %t.stock.o %recording-runtime -o %t.stock.exe
// RUN: env FAKE_STATIC=_Z5tablePiPKii=4624 %t.stock.exe | FileCheck %s --check-prefix=STOCK
//
// REMARK: remark: 'table(int*, int const*, int)': frame of 64 bytes a thread, {{.*}} moved from local to shared memory, 4624 bytes a block
// CHECK: all: 0, 0
// CHECK-NEXT: a part: 0
// CHECK-NEXT: too much: 1
// CHECK-NEXT: launch _Z5tablePiPKii
// STOCK: all: 1, 0
#include <cstdio>

extern __shared__ int Shared[];

__global__ void __launch_bounds__(64)
    table(int *Out, const int *In, int Count) {
  int Bins[16];
  Shared[threadIdx.x] = Count;
  for (int I = 0; I < 16; ++I)
    Bins[I] = In[I * Count];
  for (int I = 0; I < Count; ++I)
    Bins[In[I] & 15] += I;
  int Sum = 0;
  for (int I = 0; I < 16; ++I)
    Sum = Sum * 3 + Bins[(I * Count) & 15];
  Out[threadIdx.x] = Sum + Shared[threadIdx.x ^ 1];
}

__global__ void plain(int *Out) { Out[threadIdx.x] = Shared[threadIdx.x]; }

int main() {
  int Most = 0;
  cudaDeviceGetAttribute(&Most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  constexpr auto Dynamic = cudaFuncAttributeMaxDynamicSharedMemorySize;
  int Error = cudaFuncSetAttribute(table, Dynamic, Most);
  std::printf("all: %d, %d\n", Error,
              cudaFuncSetAttribute(plain, Dynamic, Most));
  std::printf("a part: %d\n", cudaFuncSetAttribute(table, Dynamic, 4096));
  std::printf("too much: %d\n", cudaFuncSetAttribute(table, Dynamic, Most + 1));
  table<<<132, 64, 4096>>>(nullptr, nullptr, 100);
}
