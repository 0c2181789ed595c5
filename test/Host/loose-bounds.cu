// Launch bounds may be loose: an array of which a block of 1024 threads has
// 172 KB goes to the end of dynamic shared memory, where launches with 64
// threads take 11 KB; the kernel itself keeps it in local memory. Where nothing
// can be chosen at launch, static shared memory beyond 48 KB is left alone if
// the user says so.
// REQUIRES: clang-cuda
// RUN: %launches -mllvm -regdem-arrays=off -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: %clang-cuda %regdem -mllvm -regdem-arrays=off -mllvm -regdem-launch=off -mllvm -regdem-shared-limit=49152 -Rpass-missed=regdem -c %s -o %t.off.o 2>&1 | FileCheck %s --check-prefix=LIMIT
//
// REMARKS: remark: 'bins(int*, int const*, int)' built, with loops unrolled: expected gain {{.*}}, still 2 blocks per SM; the host code chooses at launch
// CHECK: launch _Z4binsPiPKii$regdem[[#]] {{.*}} block 64 1 1 smem 10752
// LIMIT: frame of 160 bytes a thread stays in local memory: 1024 frames of 176 bytes do not fit into 49152 bytes of shared memory
__global__ void __launch_bounds__(1024) bins(int *out, const int *in, int n) {
  int counts[40] = {};
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < n; ++i) {
    unsigned v = in[at + i * 4096];
    counts[v % 40] += v;
    counts[(v >> 8) % 40] ^= v;
    counts[(v >> 16) % 40] += 3;
  }
  int sum = 0;
  for (int i = 0; i < 40; ++i)
    sum = sum * 31 + counts[i];
  out[at] = sum;
}

int main() { bins<<<100000, 64>>>(nullptr, nullptr, 1); }
