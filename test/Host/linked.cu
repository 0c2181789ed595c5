// Device code of several files that is linked (-fgpu-rdc): kernels have builds
// that launches choose among, which the linker's entries register. Those of a
// template that two files have have different names, and each launch takes its
// own file's. A kernel has none if it calls functions, which have registers of
// their own then.
// REQUIRES: clang-cuda
// RUN: %launches -fgpu-rdc -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %launches -fgpu-rdc -DOTHER -c %s -o %t.other.o
// RUN: %clang --offload-link --cuda-path=%cuda %t.o %t.other.o %recording-runtime -lpthread -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: env REGDEM_LAUNCH=stock %t.exe | FileCheck %s --check-prefix=STOCK
// RUN: env FAKE_DEVICES=80x108 %t.exe | FileCheck %s --check-prefix=STOCK
// Files that are built under one name, which need be no part of a symbol.
// RUN: cp %s %t.other.cu
// RUN: %launches -fgpu-rdc -cuid=release-1.2 -c %s -o %t.o
// RUN: %launches -fgpu-rdc -cuid=release-1.2 -I%S -DOTHER -c %t.other.cu -o %t.other.o
// RUN: %clang --offload-link --cuda-path=%cuda %t.o %t.other.o %recording-runtime -lpthread -o %t.exe
// RUN: %t.exe | FileCheck %s
#include "Inputs/walk.h"

__device__ unsigned other(unsigned X);

template <class T>
__global__ void shared(const T *Cold, const T *Rows, T *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}

#ifdef OTHER
__device__ unsigned other(unsigned X) { return X * 3; }

__global__ void second(const unsigned *Cold, const unsigned *Rows,
                       unsigned *Result, int Threads) {
  __shared__ unsigned Own[512]; // One variable of kernel and builds.
  Own[threadIdx.x] = Threads;
  __syncthreads();
  walk<44>(Cold, Rows, Result, Threads);
  Result[threadIdx.x] += Own[threadIdx.x ^ 1];
}

void launchOthers() {
  second<<<1000000, 512>>>(nullptr, nullptr, nullptr, 0);
  shared<unsigned><<<1000000, 256>>>(nullptr, nullptr, nullptr, 0);
}
#else
static __global__ void first(const unsigned *Cold, const unsigned *Rows,
                             unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}

__device__ __noinline__ unsigned twice(unsigned X) { return X * (X + 1); }

__global__ void calls(const unsigned *Cold, const unsigned *Rows,
                      unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
  Result[0] = twice(Result[0]);
}

__global__ void callsOther(unsigned *Result) { Result[0] = other(Result[0]); }

void launchOthers();
int main() {
  first<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0);
  calls<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0);
  callsOther<<<1, 1>>>(nullptr);
  shared<unsigned><<<1000000, 256>>>(nullptr, nullptr, nullptr, 0);
  launchOthers();
}
#endif

// CHECK: launch {{.*}}first{{.*}}$regdem{{[1-3]}}_[[FIRST:[0-9A-F]+]] grid 1000000 1 1 block 256 1 1
// CHECK-NEXT: launch _Z5callsPKjS0_Pji grid
// CHECK-NEXT: launch _Z10callsOtherPj grid
// CHECK-NEXT: launch _Z6sharedIjEvPKT_S2_PS0_i$regdem{{[1-3]}}_[[FIRST]] grid
// CHECK-NEXT: launch _Z6secondPKjS0_Pji$regdem{{[1-3]}}_[[SECOND:[0-9A-F]+]] grid 1000000 1 1 block 512 1 1
// CHECK-NEXT: launch _Z6sharedIjEvPKT_S2_PS0_i$regdem{{[1-3]}}_[[SECOND]] grid
// STOCK-COUNT-6: launch {{[^$ ]*}} grid
// STOCK-NOT: launch
// NONE: 'calls(unsigned int const*, unsigned int const*, unsigned int*, int)': no builds are chosen at launch: it calls functions, which have registers of their own if they are linked
