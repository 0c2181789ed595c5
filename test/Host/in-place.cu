// The kernel itself loses its array where no launch runs it more slowly for
// that: nothing is chosen at launch then, and its frame is never larger than
// without builds at launch. The same holds of one that only bounds its threads,
// whose copy of a parameter is for blocks of any size.
// REQUIRES: clang-cuda, nvdisasm
// RUN: rm -f %t.jsonl
// RUN: %launches -mllvm -regdem-report=%t.jsonl -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not='chooses among'
// RUN: %report %t.jsonl _Z4hashPKjPji "[v['rewrites'] for v in variants if v['chosen']] == ['lower-arrays']" "block_size_from == 'assumed'" "[v['regs'] for v in variants if v['chosen']][0] <= 64"
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: %python %regdem-source/test/Finish/Inputs/device_code.py %t.o %t.cubin
// RUN: %nvdisasm -c %t.cubin | FileCheck %s --check-prefix=CODE --implicit-check-not=LDL --implicit-check-not=STL
//
// REMARK: remark: 'hash(unsigned int const*, unsigned int*, int)' built, with arrays rewritten: expected gain {{.*}} % over the stock build with blocks of 256 threads {{.*}}, and no loss at any launch
// REMARK: remark: 'gather(View, float const*, float*)' built, with arrays rewritten
// CHECK: launch _Z4hashPKjPji grid
// CHECK: launch _Z6gather4ViewPKfPf grid
// CODE-COUNT-2: STG.E
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

struct View {
  int Rank, Size[25], Stride[25];
};

__device__ inline int offset(View V, int I) {
  int At = 0;
  for (int D = V.Rank - 1; D >= 0; --D) {
    At += I % V.Size[D] * V.Stride[D];
    I /= V.Size[D];
  }
  return At;
}

__global__ void __launch_bounds__(256)
    gather(View V, const float *In, float *Out) {
  int I = blockIdx.x * 256 + threadIdx.x;
  Out[I] = In[offset(V, I)];
}

int main() {
  hash<<<1024, 256>>>(nullptr, nullptr, 1 << 18);
  gather<<<1024, 256>>>({}, nullptr, nullptr);
}
