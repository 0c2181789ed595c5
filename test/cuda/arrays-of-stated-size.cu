// Arrays go to shared memory for a block size that an option or an annotation
// states, as for one that launch bounds do; larger launches are made to fail.
// Without one they stay, or are gone in registers.
// REQUIRES: clang-cuda
// DEFINE: %{build} = %device %regdem -mllvm -regdem-build=rewrites=lower-arrays
// RUN: rm -f %t.jsonl
// RUN: %{build} -mllvm -regdem-block-size=128 -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %report %t.jsonl bins "'lower-arrays' in rewrites" "static_smem == 40 * 4 * 128"
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
// RUN: %{build} -DSTATED='__attribute__((annotate("regdem:block-size=128")))' %s -o - | FileCheck %s
// RUN: %{build} %s -o - | FileCheck %s --check-prefix=UNKNOWN
// CHECK: .entry bins(
// CHECK: .maxntid 128
// CHECK: .shared {{.*}}[20480]
// UNKNOWN: .entry bins(
// UNKNOWN-NOT: .maxntid
// UNKNOWN-NOT: .shared
#ifndef STATED
#define STATED
#endif
extern "C" __global__ STATED void bins(unsigned *Out, const unsigned *In,
                                       int Count) {
  unsigned Bins[40] = {};
  unsigned Thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int I = 0; I != Count; ++I)
    Bins[In[Thread + I * 4096] % 40] += I;
  for (int I = 0; I != 40; ++I)
    Out[Thread * 40 + I] = Bins[I];
}
