// A filter that waits for one load an iteration does four of them at once,
// where registers limit the kernel; not where the source says that it does not.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl -Rpass=regdem %s -o %t.s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.s
// RUN: %report %t.jsonl filter "rewrites == 'unroll-loops'" "any(v['rewrites'] == '' and v['decision'] == 'stock' for v in variants)"
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl -DROLLED %s -o - | FileCheck %s --check-prefix=ROLLED
// RUN: %report %t.jsonl filter "not any('unroll-loops' in v['rewrites'] for v in variants)"
// What becomes of a product that two sums of another block read is read from
// machine code.
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl -DDISTANT %s -o %t.s
// RUN: %report %t.jsonl filter "any('unroll-loops' in v['rewrites'] for v in variants)"
// REMARK: 'filter' {{.*}}loops unrolled

// CHECK-LABEL: .entry filter
// CHECK-COUNT-5: ld.global.nc.b32 %{{r[0-9]+}}, [%rd{{[0-9]+}}];
// ROLLED-LABEL: .entry filter
// ROLLED-COUNT-1: ld.global.nc.b32
// ROLLED-NOT: ld.global
// ROLLED: ret;
extern "C" __global__ void __launch_bounds__(64)
    filter(const unsigned *__restrict__ in, float *__restrict__ out, int width,
           int height, float a, float b) {
  int column = blockIdx.x * 64 + threadIdx.x;
  const unsigned *pixel = in + column;
  float y[24] = {};
  float ahead = a * b;
#ifdef ROLLED
#pragma unroll 1
#endif
  for (int row = 0; row < height; ++row, pixel += width) {
    float x = *pixel * 0.25f;
#pragma unroll
    for (int k = 0; k < 24; ++k)
      y[k] = y[k] * b + x * a * (k + 1);
#ifdef DISTANT
    y[0] += ahead;
    y[1] -= ahead;
#endif
  }
#pragma unroll
  for (int k = 0; k < 24; ++k)
    out[column * 24 + k] = y[k];
}
