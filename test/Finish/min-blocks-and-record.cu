// What a command line promises holds beside what the program says, and what it
// cannot change it says.
// REQUIRES: ptxas, clang-cuda
// RUN: %clang-cuda --cuda-device-only -c %regdem -mllvm -regdem-finish=on %s -o %t.cubin
// RUN: %regdem-finish %t.cubin -o %t.finished --print | FileCheck %s
// RUN: %regdem-finish %t.cubin -o %t.finished --print --min-blocks=16 --all 2>&1 | FileCheck %s --check-prefix=KEPT
// CHECK: 'count{{.*}}': frame of 160 bytes a thread, {{.*}}moved from local to shared memory
// KEPT: warning: the program says what is to move: --all, --at-end and --part have no effect
// KEPT: 'count{{.*}}': frame of 160 bytes a thread stays in local memory: an SM would hold 10 blocks of 128 threads instead of 16
__global__ void __launch_bounds__(128) count(const int *In, float *Out, int N) {
  float Bins[40], Sum = 0;
  for (int I = 0; I < 40; ++I)
    Bins[I] = 0;
  for (int I = 0; I < N; ++I)
    Bins[In[I * 128 + threadIdx.x] % 40] += 1;
  for (int I = 0; I < 40; ++I)
    Sum += Bins[I] * (I + N);
  Out[blockIdx.x * 128 + threadIdx.x] = Sum + Bins[N % 40];
}
