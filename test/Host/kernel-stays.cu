// The kernel itself is stock's; a build has its slots at the end of dynamic
// shared memory, takes none itself and blocks of any size. The record
// is data that anybody can read. Annotated kernels, those with launch bounds
// or calls, and those that read how much shared memory there is, are built as
// without the option.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %s -o %t.stock.s
// RUN: %launches -mllvm -regdem-launch=on --cuda-device-only -S -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %entry-text %t.stock.s _Z4stepPKjS0_Pji > %t.stock.txt
// RUN: %entry-text %t.s _Z4stepPKjS0_Pji > %t.txt
// RUN: cmp %t.stock.txt %t.txt
// RUN: %entry-text %t.s '_Z4stepPKjS0_Pji$regdem1' > %t.build.txt
// RUN: FileCheck %s < %t.build.txt
// RUN: FileCheck %s --check-prefix=TABLES < %t.s
// RUN: FileCheck %s --check-prefix=REPORT < %t.jsonl
// RUN: %report %t.jsonl
#include "Inputs/stepping.h"

// CHECK-NOT: .maxntid
// CHECK: .maxnreg [[#]]
// CHECK: mov.u32 [[SIZE:%r[0-9]+]], %dynamic_smem_size;
// CHECK-NEXT: mad.lo.s32 [[OFFSET:%r[0-9]+]], %r{{[0-9]+}}, -[[#BYTES:]], [[SIZE]];
// CHECK: mov.b64 [[START:%rd[0-9]+]], __regdem_slots__Z4stepPKjS0_Pji$regdem1;
// CHECK: mul.wide.u32 [[WIDE:%rd[0-9]+]], [[OFFSET]], 1;
// CHECK: add.s64 [[BASE:%rd[0-9]+]], [[START]], [[WIDE]];
// CHECK: st.shared.b32 {{\[}}[[BASE]]+-[[#BYTES]]],

// TABLES-NOT: .entry {{.*(bounded|annotated|asksFor|calls).*}}$regdem
// TABLES-DAG: .extern .shared .align 16 .b8 __regdem_slots__Z4stepPKjS0_Pji$regdem1[];
// TABLES-DAG: .visible .global .align 1 .b8 __regdem_record[

// REPORT-DAG: {{.*}}"kernel":"_Z4stepPKjS0_Pji","launches":[{"any_launch":false,"build":[[#]],"cycles":{"alone":[[#]],"blocks_per_sm":[[#]],"full":[[#]]},"expected_gain":{{[0-9.]+}},"from_threads":[[#]],"may_wait":{{true|false}},"most_dynamic_smem":[[#]],"only_build":false,"stock_cycles":{"alone":[[#]],"blocks_per_sm":[[#]],"full":[[#]]},"thread_bytes":{{[1-9][0-9]*}},"threads":[[#]]}
// REPORT-DAG: {{.*}}"block_size_from":"launch"{{.*}}"kernel":"_Z4stepPKjS0_Pji$regdem1"

__global__ void __launch_bounds__(256)
    bounded(const unsigned *Cold, const unsigned *Rows, unsigned *Result,
            int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}

__attribute__((annotate("regdem:pragma=off"))) __global__ void
annotated(const unsigned *Cold, const unsigned *Rows, unsigned *Result,
          int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}

__global__ void asksForDynamic(const unsigned *Cold, const unsigned *Rows,
                               unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
  unsigned Size;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(Size));
  Result[threadIdx.x] += Size;
}

__global__ void asksForTotal(const unsigned *Cold, const unsigned *Rows,
                             unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
  unsigned Size;
  asm("mov.u32 %0, %%total_smem_size;" : "=r"(Size));
  Result[threadIdx.x] += Size;
}

__device__ __noinline__ unsigned turn(unsigned Value) { return ~Value; }

__global__ void calls(const unsigned *Cold, const unsigned *Rows,
                      unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
  Result[0] = turn(Result[0]);
}
