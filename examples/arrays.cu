// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run-time index into an array of the thread. Registers have no addresses, so
// the compiler puts the array into local memory; RegDem takes it out again. See
// README.md of this folder.

// Counts, for each thread, how often each of 16 classes occurs in its items.
__global__ void __launch_bounds__(256)
    classes(const unsigned char *__restrict__ Items, int *__restrict__ Most,
            int PerThread) {
  int Thread = blockIdx.x * blockDim.x + threadIdx.x;
  int Stride = gridDim.x * blockDim.x;
  int Counts[16] = {};
  for (int I = 0; I < PerThread; ++I)
    ++Counts[Items[Thread + I * Stride] & 15]; // known at run time only
  int Best = 0;
  for (int C = 1; C < 16; ++C)
    Best = Counts[C] > Counts[Best] ? C : Best;
  Most[Thread] = Best;
}

// The same: the index is compared with constants instead.
__global__ void __launch_bounds__(256)
    classesInRegisters(const unsigned char *__restrict__ Items,
                       int *__restrict__ Most, int PerThread) {
  int Thread = blockIdx.x * blockDim.x + threadIdx.x;
  int Stride = gridDim.x * blockDim.x;
  int Counts[16] = {};
  for (int I = 0; I < PerThread; ++I) {
    int Class = Items[Thread + I * Stride] & 15;
#pragma unroll
    for (int C = 0; C < 16; ++C)
      Counts[C] += C == Class;
  }
  int Best = 0, Highest = Counts[0];
#pragma unroll
  for (int C = 1; C < 16; ++C)
    if (Counts[C] > Highest) {
      Best = C;
      Highest = Counts[C];
    }
  Most[Thread] = Best;
}
