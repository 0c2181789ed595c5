// What is said of arrays is true of the program: nothing of local memory that
// ptxas does not keep, or that moves; one sentence for arrays of which the same
// is to be said; and the name of the function that an address goes to.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %clang-cuda %regdem -mllvm -regdem-arrays=off -mllvm -regdem-report=%t.jsonl -gline-tables-only -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not="stays in local"
// CHECK-DAG: remark: 'held({{.*}})' left as it is: registers do not limit it: {{[0-9]+}} blocks per SM, limited by warps, no spill code
// CHECK-DAG: remark: 'calls({{.*}})': 'an array' ({{.*}}, 96 bytes a thread) stays in local memory: its address goes to 'join(Pair const*, Pair*)'; make that function __forceinline__
// CHECK-DAG: remark: 'calls({{.*}})': frame of 96 bytes a thread stays in local memory
// CHECK-DAG: remark: 'moves({{.*}})' built as without RegDem, frame of 96 bytes a thread in shared memory: expected gain {{[0-9.]+}} % over the stock build (margin {{[0-9.]+}} %), 29 instead of 32 blocks per SM
// CHECK-DAG: remark: 'moves({{.*}})': frame of 96 bytes a thread, {{.*}} moved from local to shared memory
// RUN: %report %t.jsonl _Z4heldPKfPf "variants[0]['frame_bytes'] == 0" "{a['fate'] for a in arrays} == {'registers'}"
// RUN: %report %t.jsonl _Z5movesPKjPji "[v['moved_frame_bytes'] for v in variants if v['chosen']] == [96]" "[a['fate'] for a in arrays] == ['shared']"
// --explain has the frame's bytes, and says what became of it.
// RUN: %clang-cuda --cuda-device-only -S -emit-llvm %s -o %t.ll
// RUN: %regdem-opt --explain -regdem-finish=on -regdem-arrays=off %t.ll | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: kernel         moves(
// EXPLAIN: tried {{.*}}spill  local  shared
// EXPLAIN: stock {{.*}} 0+0     96
// EXPLAIN: stock {{.*}} 0+0      0 {{.*}} chosen, frame in shared memory
// Where nobody has asked ptxas, what LLVM leaves may stay.
// RUN: %clang-cuda %regdem -mllvm -regdem-ptxas=off -gline-tables-only -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNASKED --implicit-check-not="'an array' {{.*}}) stays"
// UNASKED: remark: 'held({{.*}})': 'an array' ({{.*}}:[[# @LINE + 16]], 32 times 4 bytes a thread) may stay in local memory: it is accessed with volatile or atomic operations
// UNASKED-NOT: 'held({{.*}}) may stay
struct Pair {
  double a, b;
};

__device__ __noinline__ void join(const Pair *from, Pair *to) {
  to->a = from->a * from->b;
  to->b = from->a + from->b;
}

__global__ void __launch_bounds__(256) held(const float *in, float *out) {
  volatile float x[32];
  float s = 0;
#pragma unroll
  for (int j = 0; j < 32; ++j)
    x[j] = in[threadIdx.x + j * 1024];
#pragma unroll
  for (int j = 0; j < 32; ++j)
    s = s * 0.5f + x[j];
  out[threadIdx.x] = s;
}

__global__ void __launch_bounds__(128) calls(const Pair *in, Pair *out, int n) {
  Pair some[6];
  for (int i = 0; i < 6; ++i)
    some[i] = in[i * 128 + threadIdx.x];
  for (int i = 0; i < n; ++i)
    join(&some[i % 6], &some[(i + 1) % 6]);
  for (int i = 0; i < 6; ++i)
    out[i * 128 + threadIdx.x] = some[i];
}

__global__ void __launch_bounds__(64)
    moves(const unsigned *in, unsigned *out, int n) {
  unsigned bins[24] = {};
  for (int i = threadIdx.x; i < n; i += 64)
    bins[in[i] % 24] += in[i] >> 8;
  for (int i = 0; i < 24; ++i)
    out[i * 64 + threadIdx.x] = bins[i];
}

int main() {}
