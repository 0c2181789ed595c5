// Of a kernel whose arrays take more than L1 the build without ptxas's own
// limit comes first. Where it takes few registers, it is the only one.
// REQUIRES: clang-cuda, nvdisasm
// DEFINE: %{build} = env KEPT=%t.kept KEEPING_PTXAS=%cuda/bin/ptxas %device %regdem -mllvm -regdem-ptxas=%S/Inputs/keeps-programs.py %s -o %t.s
// RUN: %device %s -o %t.stock.s
// RUN: rm -rf %t.kept && mkdir %t.kept
// RUN: %{build}
// RUN: cmp %t.stock.s %t.s
// RUN: ls %t.kept | count 1
// RUN: grep -q "\.minnctapersm 1" %t.kept/*
// With a report stock's figures are there.
// RUN: rm -rf %t.kept %t.jsonl && mkdir %t.kept
// RUN: %{build} -mllvm -regdem-report=%t.jsonl
// RUN: cmp %t.stock.s %t.s
// RUN: ls %t.kept | count 2
// RUN: %report %t.jsonl stacked "decision == 'stock'" "limiter_before == 'warps'" "len(variants) == 1" "variants[0]['decision'] == 'stock'" "variants[0]['chosen']"

extern "C" __global__ void __launch_bounds__(256)
    stacked(unsigned *Out, unsigned At) {
  unsigned Stack[64];
  for (unsigned I = 0; I != 64; ++I)
    Stack[I] = I ^ threadIdx.x;
  unsigned Sum[9] = {};
#pragma unroll 1
  while (At >>= 1) {
#pragma unroll
    for (unsigned J = 0; J != 9; ++J)
      Sum[J] += Stack[(At + J) & 63] * (Sum[(J + 1) % 9] | 1);
    Stack[At & 63] = Sum[At % 3 ? 0 : 1];
  }
  for (unsigned J = 0; J != 9; ++J)
    Out[J * 256 + threadIdx.x] = Sum[J];
}
