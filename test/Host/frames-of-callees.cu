// The frame of a function that a kernel calls moves with the kernel's to the
// end of dynamic shared memory.
// REQUIRES: clang-cuda, nvdisasm
// RUN: rm -f %t.jsonl
// RUN: %launches -mllvm -regdem-report=%t.jsonl -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %python %regdem-source/test/Finish/Inputs/device_code.py %t.o %t.cubin
// RUN: %nvdisasm -c %t.cubin | FileCheck %s --check-prefix=CODE
// CHECK: remark: 'bins(int*, int const*, int)$regdem1': frame of {{[0-9]+}} bytes a thread, {{.*}}, moved from local to shared memory, to which launches add {{[0-9]+}} bytes a thread
// CODE: .text._Z4binsPiPKii$regdem1:
// CODE: CALL
// CODE: $_Z4binsPiPKii$regdem1$_Z7countedPKii:
// CODE-NOT: LDL
// CODE: STS
// CODE-NOT: LDL
// CODE: .text._Z4binsPiPKii:
// CODE: LDL
__device__ __noinline__ int counted(const int *Keys, int Count) {
  int Sums[32] = {};
  for (int I = 0; I < Count; ++I) {
    int Key = Keys[I * 4096];
    Sums[Key & 31] += Sums[Key >> 8 & 31] * 31 + I;
  }
  int Sum = 0;
  for (int I = 0; I < 32; ++I)
    Sum = Sum * 31 + Sums[I];
  return Sum;
}

__global__ void bins(int *Out, const int *Keys, int Count) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  Out[T] = counted(Keys + T, Count);
}

int main() { bins<<<1, 1>>>(nullptr, nullptr, 0); }
