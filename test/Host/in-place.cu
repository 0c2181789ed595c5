// The kernel itself loses its array where no launch runs it more slowly for
// that: nothing is chosen at launch then, and its frame is never larger than
// without builds at launch.
// REQUIRES: clang-cuda, nvdisasm
// RUN: rm -f %t.jsonl
// RUN: %launches -mllvm -regdem-report=%t.jsonl -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not='chooses among'
// RUN: %report %t.jsonl _Z4hashPKjPji "[v['rewrites'] for v in variants if v['chosen']] == ['lower-arrays']" "block_size_from == 'assumed'" "[v['regs'] for v in variants if v['chosen']][0] <= 64"
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: %python %regdem-source/test/Finish/Inputs/device_code.py %t.o %t.cubin
// RUN: %nvdisasm -c %t.cubin | FileCheck %s --check-prefix=CODE --implicit-check-not=LDL --implicit-check-not=STL
//
// REMARK: remark: 'hash(unsigned int const*, unsigned int*, int)' built, with arrays in registers or shared memory: expected gain {{.*}} % over the stock build with blocks of 256 threads {{.*}}, and no loss at any launch
// CHECK: launch _Z4hashPKjPji grid
// CODE: STG.E
__global__ void hash(const unsigned *In, unsigned *Out, int Count) {
  int At = blockIdx.x * blockDim.x + threadIdx.x;
  if (At >= Count)
    return;
  unsigned Words[40];
  for (int I = 0; I < 8; ++I)
    Words[I] = In[I * Count + At];
  for (int I = 8; I < 40; ++I)
    Words[I] = (Words[I - 8] * 5 ^ Words[I - 3] >> 7) + Words[I - 5];
  unsigned Sum = 0;
  for (int I = 0; I < 40; ++I)
    Sum = (Sum << 3 | Sum >> 29) ^ Words[39 - I];
  Out[At] = Sum;
}

int main() { hash<<<1024, 256>>>(nullptr, nullptr, 1 << 18); }
