// A dynamically indexed array whose indices are within bounds leaves local
// memory where that is predicted to pay, whether or not registers limit the
// kernel; results are those of clang's own build. Kernels without arrays, or
// with one whose index is not known to be within bounds, are not built another
// time for it.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.ptx
// RUN: %report %t.jsonl insert "[a['fate'] for a in arrays] == ['shared']" "arrays[0]['bytes'] == 32"
// RUN: %report %t.jsonl walk "arrays[0]['fate'] == 'local'" "'within bounds' in arrays[0]['reason']"
// RUN: %report %t.jsonl sine "arrays[0]['fate'] == 'registers'" "variants[0]['frame_bytes'] == 0"
// RUN: %device %regdem -gline-tables-only -Rpass-missed=regdem %s -o %t.g.ptx 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-NOT: stays in local
// REMARK: 'walk': 'an array' ({{.*}}auto-arrays.cu:[[# @LINE + 44]], 128 bytes a thread) stays in local memory: an index is not known to be within bounds; guard the index
// REMARK-NOT: stays in local
// RUN: %report %t.jsonl insert "rewrites == 'lower-arrays'" "limiter_before != 'registers'"
// RUN: %report %t.jsonl walk "not any('lower-arrays' in v['rewrites'] for v in variants)"
// RUN: %report %t.jsonl sine "not any('lower-arrays' in v['rewrites'] for v in variants)"
// `off` keeps all arrays in local memory.
// RUN: %device %regdem -mllvm -regdem-arrays=off -gline-tables-only -Rpass-missed=regdem %s -o %t.off.ptx 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: remark: 'insert': 'an array'{{.*}}registers were not tried for it: -mllvm -regdem-arrays=off
// Under a stated cap registers are tried, too.
// RUN: rm -f %t.cap.jsonl && %device %regdem -mllvm -regdem-max-regs=64 -mllvm -regdem-report=%t.cap.jsonl %s -o %t.cap.ptx
// RUN: %report %t.cap.jsonl insert "rewrites == 'lower-arrays'" "max_regs == 64"
// RUN: %device %regdem -mllvm -regdem-max-regs=64 -mllvm -regdem-ptxas=off -gline-tables-only -Rpass-missed=regdem %s -o %t.cap.ptx 2>&1 | FileCheck %s --check-prefix=CAP
// CAP: remark: 'insert': 'an array'{{.*}}{{.*}}may stay in local memory: registers were not tried for it: builds of the kernel were not compared
// RUN: %entry-text %t.off.ptx insert | FileCheck %s --check-prefix=KEPT
// KEPT: local
// RUN: %entry-text %t.ptx insert | FileCheck %s
// CHECK-NOT: local
// The smallest eight of a column, sorted.
extern "C" __global__ void __launch_bounds__(256)
    insert(const float *in, float *out, int n, int rows) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float best[8];
  for (int i = 0; i < 8; ++i)
    best[i] = 1e30f;
  for (int row = 0; row < rows; ++row) {
    float v = in[row * n + t];
    if (v < best[7]) {
      int j = 7;
      while (j > 0 && best[j - 1] > v) {
        best[j] = best[j - 1];
        --j;
      }
      best[j] = v;
    }
  }
  for (int i = 0; i < 8; ++i)
    out[i * n + t] = best[i];
}

// A stack whose depth nobody knows.
extern "C" __global__ void __launch_bounds__(256)
    walk(const int2 *tree, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int stack[32], depth = 0, sum = 0;
  stack[depth++] = 0;
  while (depth) {
    int2 node = tree[stack[--depth]];
    sum += node.x ^ t;
    if (node.y > 0) {
      stack[depth++] = node.y;
      if (node.y & 1)
        stack[depth++] = node.y + 1;
    }
  }
  out[t] = sum;
}

extern "C" __global__ void __launch_bounds__(256)
    sine(const float *in, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = sinf(in[t]);
}
