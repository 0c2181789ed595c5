// The hash of a kernel's code does not depend on debug information, the
// architecture, the file's place or what else the file holds; it does on its
// launch bounds and on what it calls.
// REQUIRES: clang-cuda
// RUN: rm -rf %t.jsonl %t.dir && mkdir %t.dir
// RUN: cp %s %t.dir/moved.cu
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s -g
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s -gline-tables-only -fno-discard-value-names
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %t.dir/moved.cu -o %t.s
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s -DOTHERS
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s --no-cuda-gpu-arch=sm_90 --cuda-gpu-arch=sm_80
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s -DTHREADS=64
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s -DFACTOR=5
// RUN: %report %t.jsonl
// RUN: %python %S/Inputs/same_hash.py %t.jsonl 6 3
//
// In relocatable code the names of internal kernels hold a hash of the path,
// and entries match all the same.
// RUN: rm -f %t.rdc.jsonl %t.moved.jsonl
// RUN: %device -fgpu-rdc %regdem -mllvm -regdem-report=%t.rdc.jsonl %s -o %t.s
// RUN: %python %S/Inputs/same_hash.py %t.rdc.jsonl 1 1 --profile > %t.json
// RUN: %device -fgpu-rdc %regdem -mllvm -regdem-report=%t.moved.jsonl -mllvm -regdem-profile=%t.json %t.dir/moved.cu -o %t.s
// RUN: %report %t.moved.jsonl
// RUN: grep -c from_profile %t.moved.jsonl | FileCheck %s
// CHECK: 1

#ifndef THREADS
#define THREADS 128
#endif
#ifndef FACTOR
#define FACTOR 3
#endif

__device__ int counter;
static __constant__ float table[4] = {1, 2, 3, 4};
struct Sample {
  float x, y;
};

#ifdef OTHERS
struct Other {
  int a;
  Other *next;
};
__global__ void others(float *p, Other *o) {
  __shared__ float s[64];
  auto pick = [&](int i) { return s[i] + table[i & 1] + counter; };
  s[threadIdx.x] = o->next->a;
  asm volatile("// first" ::: "memory");
  p[threadIdx.x] = pick(threadIdx.x ^ 1);
}
#endif

static __device__ __noinline__ float helper(float x) {
  return x * FACTOR + counter;
}

static __global__ void __launch_bounds__(THREADS) kernel(float *p, Sample *q) {
  __shared__ float s[THREADS];
  auto pick = [&](int i) { return s[i] + table[i & 3]; };
  s[threadIdx.x] = helper(q[threadIdx.x].y);
  asm volatile("// second" ::: "memory");
  p[threadIdx.x] = pick(threadIdx.x ^ 1);
}

void launch(float *p, Sample *q) { kernel<<<1, THREADS>>>(p, q); }
