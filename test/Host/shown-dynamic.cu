// A kernel that declares no dynamic shared memory may be launched with some.
// Where the file does so, slots and frames leave room for that: blocks per SM
// stay as the launch bounds ask, and no launch fails for want of memory.
// REQUIRES: clang-cuda
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -DBYTES=0 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -DBYTES=24000 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -DBYTES=49152 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -DBYTES=Count -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// So by the runtime's function, under per-thread default streams, too, and with
// a variable that others may set and that is read as a constant.
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -DBYTES=49152 -DCALLS -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -DBYTES=49152 -DCALLS -DCUDA_API_PER_THREAD_DEFAULT_STREAM -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -DBYTES=READ -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// What is stated holds, but for launches that are seen to have more.
// RUN: %clang-cuda %regdem -mllvm -regdem-dynamic-smem=0 -Rpass=regdem -Rpass-missed=regdem -DBYTES=24000 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: %clang-cuda %regdem -mllvm -regdem-dynamic-smem=0 -Rpass=regdem -DBYTES=Count -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE
//
// NONE: remark: 'stencil({{.*}})' held to 32 registers with 7 words a thread (7168 bytes a block) in shared memory
// SOME: remark: 'stencil({{.*}})' held to 32 registers with 3 words a thread (3072 bytes a block) in shared memory{{.*}}(still 8 blocks per SM)
// SOME: moved from local to shared memory, 1040 bytes a block
// MOST: remark: 'stencil({{.*}})' left as it is: no shared memory is left for a slot
// MOST: frame of 40 bytes a thread stays in local memory: 256 frames of 40 bytes do not fit into 49152 bytes of shared memory beside 49152 of its own
// UNKNOWN: remark: 'stencil({{.*}})' left as it is: dynamic shared memory of unknown size: state -mllvm -regdem-dynamic-smem
// UNKNOWN: frame of 40 bytes a thread stays in local memory: it may use dynamic shared memory
#include "../../examples/stencil.cu"

int set(int *Bytes);
#define READ static_cast<const int &>(Bytes)

void run(const float *In, float *Out, int Count) {
  int Bytes = 0;
  set(&Bytes);
  set(&Bytes);
#ifdef CALLS
  cudaLaunchKernel(stencil, dim3(Count), dim3(256), nullptr, BYTES, nullptr);
#else
  stencil<<<Count, 256, BYTES>>>(In, Out, In, Count, Count, Count);
#endif
}
