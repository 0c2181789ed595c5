// Addresses are chained in a stated build that says so. The report says so
// where there are some to chain, and otherwise what else is left out.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm "-regdem-build=cap=32 rewrites=chain-addresses" -mllvm -regdem-report=%t.jsonl %s -o - | FileCheck %s --check-prefix=CHAINED
// RUN: FileCheck %s --check-prefix=REPORT --input-file %t.jsonl
// RUN: %device %regdem -mllvm "-regdem-build=cap=32 demote=belady:28" %s -o - | FileCheck %s --check-prefix=SHARED
// CHAINED-LABEL: .entry fields(
// CHAINED: ld.global.b32 %r{{[0-9]+}}, [[[FIRST:%rd[0-9]+]]];
// CHAINED: add.s64 [[SECOND:%rd[0-9]+]], [[FIRST]], [[STEP:%rd[0-9]+]];
// CHAINED: ld.global.b32 %r{{[0-9]+}}, [[[SECOND]]];
// CHAINED: add.s64 [[THIRD:%rd[0-9]+]], [[SECOND]], [[STEP]];
// CHAINED: ld.global.b32 %r{{[0-9]+}}, [[[THIRD]]];
// SHARED-LABEL: .entry fields(
// SHARED: ld.global.b32 %r{{[0-9]+}}, [[[FIRST:%rd[0-9]+]]];
// SHARED-NOT: , [[FIRST]], %rd
// SHARED: ret;
// REPORT-DAG: "kernel":"fields",{{.*}}"rewrites":"chain-addresses"
// REPORT-DAG: "kernel":"flat",{{.*}}"rewrites":"skip-slsr"

extern "C" __global__ void __launch_bounds__(128)
    fields(const float *In, float *Out, int Length) {
  int Site = blockIdx.x * 128 + threadIdx.x;
  float Sum = In[Site + Length];
  __syncthreads();
  Sum = Sum * 0.5f + In[Site + 5 * Length];
  __syncthreads();
  Sum = Sum * 0.5f + In[Site + 9 * Length];
  Out[Site] = Sum;
}

extern "C" __global__ void __launch_bounds__(128) flat(float *Out) {
  Out[threadIdx.x] *= 2.0f;
}
