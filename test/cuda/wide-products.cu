// Random numbers by Philox, as cuRAND and Random123 make them: products of
// words, of which clang makes products of register pairs. Products of words
// take fewer registers. They are tried under a cap, too.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl -Rpass=regdem %s -o %t.s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.s
// RUN: %report %t.jsonl numbers "rewrites == 'wide-products'" "min(v['regs'] for v in variants if v['rewrites']) < variants[0]['regs']"
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-max-regs=56 -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %report %t.jsonl numbers "any(v['rewrites'] == 'wide-products' for v in variants)"
// RUN: %device %regdem -mllvm -regdem-mode=off %s -o - | FileCheck %s --check-prefix=STOCK
// REMARK: 'numbers' {{.*}}products of words

// CHECK-LABEL: .entry numbers
// CHECK-NOT: mul.lo.s64
// CHECK: ret;
// STOCK-LABEL: .entry numbers
// STOCK-COUNT-100: mul.lo.s64
typedef unsigned long long u64;

static __device__ uint4 philox(uint4 counter, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    u64 low = u64(counter.x) * 0xd2511f53u, high = u64(counter.z) * 0xcd9e8d57u;
    counter =
        make_uint4(unsigned(high >> 32) ^ counter.y ^ key.x, unsigned(high),
                   unsigned(low >> 32) ^ counter.w ^ key.y, unsigned(low));
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

extern "C" __global__ void __launch_bounds__(256)
    numbers(const uint2 *__restrict__ keys, uint4 *__restrict__ out) {
  unsigned index = blockIdx.x * 256 + threadIdx.x;
  uint2 key = keys[index];
  uint4 streams[12];
#pragma unroll
  for (unsigned s = 0; s < 12; ++s)
    streams[s] = make_uint4(s, 0, 0, 0);
#pragma unroll 1
  for (int n = 0; n < 8; ++n)
#pragma unroll
    for (unsigned s = 0; s < 12; ++s)
      streams[s] = philox(streams[s], key);
#pragma unroll
  for (unsigned s = 0; s < 12; ++s) {
    uint4 a = streams[s], b = streams[(s + 1) % 12];
    out[index * 12 + s] =
        make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
  }
}
