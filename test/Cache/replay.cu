// A second compilation makes the same PTX, remarks and report as the first, and
// as one without the cache, and asks no tool. Only that it is from the cache is
// told.
// REQUIRES: clang-cuda
// DEFINE: %{build} = env CUDA_PATH=%cuda PTXAS_LOG=%t/log %device %regdem -mllvm -regdem-ptxas=%S/Inputs/ptxas.sh -Rpass=regdem -Rpass-missed=regdem -Rpass-analysis=regdem %s
// RUN: rm -rf %t && mkdir %t
// RUN: %{build} -mllvm -regdem-cache=off -mllvm -regdem-report=%t/off.jsonl -o %t/off.s 2> %t/off.txt
// RUN: %{build} -mllvm -regdem-cache=%t/cache -mllvm -regdem-report=%t/cold.jsonl -o %t/cold.s 2> %t/cold.txt
// RUN: rm %t/log
// RUN: %{build} -mllvm -regdem-cache=%t/cache -mllvm -regdem-report=%t/warm.jsonl -o %t/warm.s 2> %t/warm.txt
// RUN: not test -e %t/log
// RUN: cmp %t/off.s %t/cold.s
// RUN: cmp %t/off.s %t/warm.s
// RUN: cmp %t/off.txt %t/cold.txt
// RUN: cmp %t/off.jsonl %t/cold.jsonl
// RUN: grep -c ', cached (sm_90)' %t/warm.txt | grep -x 4
// RUN: sed -e 's/, cached (sm_90)/ (sm_90)/' %t/warm.txt | cmp - %t/off.txt
// RUN: sed -e 's/"cached":true,//' %t/warm.jsonl | cmp - %t/off.jsonl
// RUN: %report %t/warm.jsonl bounded "cached" "len(variants) > 1" "decision == 'demote'"
// RUN: %report %t/warm.jsonl switches "cached" "max_regs == 24"
// RUN: %report %t/warm.jsonl small "cached"
#include "../cuda/Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256, 6)
    bounded(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(256)
    wide(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

// Its build spills, so that it has no jump tables.
__attribute__((annotate(
    "regdem:max-regs=24,mode=demote,pragma=off"))) extern "C" __global__ void
switches(unsigned *Data, int Rounds, int What) {
  switch (What) {
  case 0:
    mix<40>(Data, Rounds, threadIdx.x);
    break;
  case 1:
    mix<41>(Data, Rounds, threadIdx.x);
    break;
  case 2:
    mix<42>(Data, Rounds, threadIdx.x);
    break;
  case 3:
    mix<43>(Data, Rounds, threadIdx.x);
    break;
  case 4:
    mix<44>(Data, Rounds, threadIdx.x);
    break;
  case 5:
    mix<45>(Data, Rounds, threadIdx.x);
    break;
  }
}

extern "C" __global__ void small(unsigned *Data) { Data[threadIdx.x] = 1; }
