// Builds are made for the block sizes with which the file launches a kernel:
// constants in one form or another. Where it may be launched with others, too,
// the usual sizes follow.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %launches -mllvm -regdem-report=%t.jsonl -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=SIZES < %t.jsonl
// With -fgpu-rdc static kernels have other names in device code.
// RUN: rm -f %t.jsonl
// RUN: %launches -mllvm -regdem-report=%t.jsonl -fgpu-rdc -c %s -o %t.o
// RUN: FileCheck %s --check-prefix=LINKED < %t.jsonl
// Other languages have no launches.
// RUN: %clang -x c++ -fpass-plugin=%plugin -fsyntax-only %s -DHOST
//
// CHECK-DAG: 'variable' left as it is: no build of it is expected to gain with blocks of 192 threads
// CHECK-DAG: 'void instance<96>({{.*}})' has other builds beside it: the host code chooses at launch: blocks of 65 to 96 threads take build 1 {{[^;,]*}}; all others
// CHECK-DAG: 'void instance<160>({{.*}})' has other builds beside it: the host code chooses at launch: blocks of 129 to 160 threads take build 1 {{[^;,]*}}; all others
// SIZES-DAG: "block_sizes":[192],{{.*}}"kernel":"variable"
// SIZES-DAG: "block_sizes":[96],{{.*}}"kernel":"_Z8instanceILi96
// SIZES-DAG: "block_sizes":[160],{{.*}}"kernel":"_Z8instanceILi160
// SIZES-DAG: "block_sizes":[32,64,128],{{.*}}"kernel":"_Z7several
// SIZES-DAG: "block_sizes":[224,512],{{.*}}"kernel":"_ZL4both
// SIZES-DAG: "block_sizes":[64,128,256,512,1024],{{.*}}"kernel":"_Z7changed
// SIZES-DAG: "block_sizes":[64,96,128,256,512,1024],{{.*}}"kernel":"_Z6handed
// LINKED: "block_sizes":[224,512],{{.*}}"kernel":"_ZL4both{{.*}}__intern__
#ifndef HOST
#include "Inputs/walk.h"

#define PARAMETERS                                                             \
  const unsigned *Cold, const unsigned *Rows, unsigned *Result, int Threads
#define WALK walk<44>(Cold, Rows, Result, Threads)
#define ARGUMENTS nullptr, nullptr, nullptr, 0

extern "C" __global__ void variable(PARAMETERS) { WALK; }
__global__ void changed(PARAMETERS) { WALK; }
__global__ void handed(PARAMETERS) { WALK; }
static __global__ void both(PARAMETERS) { WALK; }
__global__ void several(PARAMETERS) { WALK; }
template <int> __global__ void instance(PARAMETERS) { WALK; }

template <int Size> void launchInstance(int N) {
  instance<Size><<<N / Size, Size>>>(ARGUMENTS);
}

using Kernel = decltype(changed);
void launchElsewhere(Kernel *);

void run(int N) {
  int Rows = 3;
  dim3 Block(64, Rows);
  variable<<<dim3(N / Block.x), Block>>>(ARGUMENTS);
  launchInstance<96>(N);
  launchInstance<160>(N);
  const auto Warps = 7;
  both<<<N, Warps * 32>>>(ARGUMENTS);
  int Few = 64;
  dim3 Several(N > 100 ? Few : 32);
  several<<<N, Several>>>(ARGUMENTS);
  Few = 128;
  void *Arguments[4] = {};
  cudaLaunchKernel(both, dim3(N), dim3(16, 16, 2), Arguments, 0, 0);
  cudaFuncAttributes Attributes;
  cudaFuncGetAttributes(&Attributes, both);
  int Size = 96;
  Size *= N;
  changed<<<N, Size>>>(ARGUMENTS);
  handed<<<N, 96>>>(ARGUMENTS);
  launchElsewhere(handed);
}
#endif
