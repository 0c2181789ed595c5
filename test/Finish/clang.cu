// In one clang command the host compilation finishes the device code that it
// holds; -regdem-finish=off and -O0 leave it as ptxas made it.
// REQUIRES: ptxas, nvdisasm, clang-cuda
// RUN: %clang-cuda %regdem -mllvm -regdem-arrays=off -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %python %S/Inputs/device_code.py %t.o %t.cubin
// RUN: %nvdisasm -c %t.cubin | FileCheck --check-prefix=MOVED --implicit-check-not=LDL --implicit-check-not=STL %s
// RUN: %clang-cuda %regdem -mllvm -regdem-arrays=off -mllvm -regdem-finish=off -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck --allow-empty --check-prefix=OFF %s
// RUN: %python %S/Inputs/device_code.py %t.o %t.cubin
// RUN: %nvdisasm -c %t.cubin | FileCheck --check-prefix=LOCAL %s
// RUN: %clang-cuda %regdem -O0 -c %s -o %t.o
// RUN: %python %S/Inputs/device_code.py %t.o %t.cubin
// RUN: %nvdisasm -c %t.cubin | FileCheck --check-prefix=O0 --implicit-check-not=LDS %s

// CHECK: clang.cu:[[@LINE+7]]:1: remark: 'bins(int*, int const*)': frame of 96 bytes a thread, {{.*}}moved from local to shared memory
// MOVED: LDS
// OFF-NOT: moved from local
// LOCAL: STL
// O0: EXIT
#define N 24u

__global__ void __launch_bounds__(256) bins(int *out, const int *in) {
  int bins[N] = {};
  for (int i = 0; i < 64; ++i)
    bins[in[threadIdx.x + i] % N] += i;
  int sum = 0;
  for (int i = 0; i < N; ++i)
    sum = sum * 31 + bins[i];
  out[threadIdx.x] = sum;
}

int main() {
  bins<<<1, 256>>>(nullptr, nullptr);
  return 0;
}
