//===- device_host.h - fuzz kernels' primitives on one CPU thread *- C++ -*-==//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by device.h only: the twins of device_ptx.h for a block of one
// thread whose index the test program sets. A warp of one lane shuffles with
// itself.
//
//===----------------------------------------------------------------------===//
#include "gpu/input.h"

static u32 fz_tid[3], fz_ntid[3], fz_ctaid[3], fz_nctaid[3];
FZ_FN u32 fz_tid_x() { return fz_tid[0]; }
FZ_FN u32 fz_tid_y() { return fz_tid[1]; }
FZ_FN u32 fz_tid_z() { return fz_tid[2]; }
FZ_FN u32 fz_ntid_x() { return fz_ntid[0]; }
FZ_FN u32 fz_ntid_y() { return fz_ntid[1]; }
FZ_FN u32 fz_ntid_z() { return fz_ntid[2]; }
FZ_FN u32 fz_ctaid_x() { return fz_ctaid[0]; }
FZ_FN u32 fz_ctaid_y() { return fz_ctaid[1]; }
FZ_FN u32 fz_ctaid_z() { return fz_ctaid[2]; }
FZ_FN u32 fz_nctaid_x() { return fz_nctaid[0]; }
FZ_FN u32 fz_nctaid_y() { return fz_nctaid[1]; }

static fz_args fz_args_of(u32 n) {
  static_assert(sizeof(fz_args) == ArgumentWords * 4, "as input.h has it");
  fz_args args;
  __builtin_memcpy(&args, argumentsOf(n).data(), sizeof args);
  return args;
}

#ifdef FZ_WHOLE_BLOCK
#include "device_block.h"
#else
FZ_FN void fz_barrier() {}
FZ_FN void fz_barrier_part(u32, i32) {}
FZ_FN void fz_syncwarp() {}
FZ_FN u32 fz_barrier_popc(u32 p) { return p != 0; }
FZ_FN u32 fz_barrier_and(u32 p) { return p != 0; }
FZ_FN u32 fz_barrier_or(u32 p) { return p != 0; }
FZ_FN u32 fz_shfl_xor(u32 v, u32) { return v; }
FZ_FN u32 fz_shfl_idx(u32 v, u32) { return v; }
FZ_FN u32 fz_shfl_up(u32 v, u32) { return v; }
FZ_FN u32 fz_shfl_down(u32 v, u32) { return v; }
FZ_FN u32 fz_ballot(bool p) { return p; }
FZ_FN bool fz_any(bool p) { return p; }
FZ_FN bool fz_all(bool p) { return p; }
#endif

#define FZ_ATOMIC(name, value)                                                 \
  FZ_FN u32 name(u32 *p, u32 v) {                                              \
    u32 old = *p;                                                              \
    *p = (value);                                                              \
    return old;                                                                \
  }
FZ_ATOMIC(fz_atomic_add, old + v)
FZ_ATOMIC(fz_atomic_xor, old ^ v)
FZ_ATOMIC(fz_atomic_and, old &v)
FZ_ATOMIC(fz_atomic_or, old | v)
FZ_ATOMIC(fz_atomic_max, old > v ? old : v)
FZ_ATOMIC(fz_atomic_min, old < v ? old : v)
FZ_ATOMIC(fz_exchange, v)
#undef FZ_ATOMIC
FZ_FN void fz_asm_put(u32 *p, u32 v) { *p = v; }
FZ_FN void fz_asm_put_shared(u32 *p, u32 v) { *p = v; }

FZ_FN u32 fz_asm_add(u32 a, u32 b) { return a + b; }
FZ_FN u32 fz_asm_xor3(u32 a, u32 b, u32 c) { return a ^ b ^ c; }
FZ_FN u32 fz_asm_maj(u32 a, u32 b, u32 c) {
  return (a & b) | (a & c) | (b & c);
}
FZ_FN u64 fz_asm_mad64(u64 a, u64 b, u64 c) { return a * b + c; }
FZ_FN u64 fz_asm_madwide(u32 a, u32 b, u64 c) { return (u64)a * b + c; }
FZ_FN u32 fz_asm_prmt(u32 a, u32 b) {
  return ((a >> 8) & 0xffu) | ((b & 0xffu) << 8) | ((b & 0xff00u) << 8) |
         ((a << 8) & 0xff000000u);
}
FZ_FN u32 fz_asm_bfe(u32 a) { return (a >> 5) & 0x7ffu; }
FZ_FN u32 fz_asm_select(u32 a, u32 b, u32 c) { return a < b ? c : a; }
FZ_FN u64 fz_asm_pack(u32 lo, u32 hi) { return (u64)hi << 32 | lo; }
FZ_FN u128 fz_asm_pack128(u64 lo, u64 hi) { return (u128)hi << 64 | lo; }
FZ_FN u16 fz_asm_add16(u16 a, u16 b) { return (u16)((u32)a + (u32)b); }
FZ_FN f32 fz_asm_fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
FZ_FN f64 fz_asm_fma64(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
FZ_FN void fz_asm_accumulate(u32 *acc, u32 b) { *acc += b; }
FZ_FN void fz_asm_sumdiff(u32 *a, u32 *b) {
  u32 s = *a + *b, d = *a - *b;
  *a = s;
  *b = d;
}
FZ_FN void fz_asm_carry(u32 *lo, u32 *hi, u32 b) {
  u64 sum = (u64)*lo + b;
  *lo = (u32)sum;
  *hi = *hi + b + (u32)(sum >> 32);
}
FZ_FN f32 fz_div_approx(f32 a, f32 b) { return a / b; }
FZ_FN f32 fz_rcp_approx(f32 a) { return 1.0f / a; }
FZ_FN f32 fz_sqrt_approx(f32 a) { return __builtin_sqrtf(a); }
FZ_FN f32 fz_mul_rn(f32 a, f32 b) { return a * b; }
FZ_FN f32 fz_add_rn(f32 a, f32 b) { return a + b; }
FZ_FN f32 fz_asm_mul_f32(f32 a, f32 b) { return a * b; }
FZ_FN f32 fz_asm_add_f32(f32 a, f32 b) { return a + b; }
FZ_FN f32 fz_asm_div_f32(f32 a, f32 b) { return a / b; }
FZ_FN f32 fz_asm_first(f32 a, f32) { return a; }
