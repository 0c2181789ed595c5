// ptxas does not count shared memory of templates and inline functions in code
// that is to be linked: variables outside of functions. RegDem does: the blocks
// per SM that launch bounds ask for are held to.
// REQUIRES: clang-cuda
// RUN: rm -f %t*.jsonl
// RUN: %clang-cuda %regdem -mllvm -regdem-report=%t.jsonl -c %s -o %t.o
// RUN: %clang-cuda %regdem -mllvm -regdem-report=%t-linked.jsonl -fgpu-rdc -c %s -o %t-linked.o
// RUN: %report %t.jsonl '_Z5tableILi24ELi6144EEvPKiPii' "static_smem == 24576" "blocks_per_sm_before == 8" "blocks_per_sm_after == 8"
// RUN: %report %t-linked.jsonl '_Z5tableILi24ELi6144EEvPKiPii' "static_smem == 24576" "blocks_per_sm_before == 8" "blocks_per_sm_after == 8"
template <int Words>
__device__ __forceinline__ int looked(const int *In, int Count) {
  int Table[Words];
  for (int I = 0; I < Words; ++I)
    Table[I] = In[I * Count + threadIdx.x];
  for (int I = 0; I < Count; ++I) {
    int At = (unsigned)In[I + threadIdx.x] % Words;
    Table[At] = Table[At] * 31 + Table[(unsigned)(At * 7 + I) % Words];
  }
  int Sum = 0;
  for (int I = 0; I < Words; ++I)
    Sum ^= Table[I];
  return Sum;
}

template <int Words, int Shared>
__global__ __launch_bounds__(256, 8) void table(const int *In, int *Out,
                                                int Count) {
  __shared__ int Own[Shared];
  Own[threadIdx.x * (Shared / 256)] = In[threadIdx.x];
  __syncthreads();
  Out[blockIdx.x * 256 + threadIdx.x] =
      looked<Words>(In, Count) +
      Own[((threadIdx.x * 37 + Count) & 255) * (Shared / 256)];
}

void run(const int *In, int *Out, int Count) {
  table<24, 6144><<<4000, 256>>>(In, Out, Count);
}
