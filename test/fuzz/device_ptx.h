//===- device_ptx.h - fuzz kernels' primitives on a GPU ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by device.h only. Every function has a twin in device_host.h.
// Shuffles, votes and barriers take the full warp or block: the generator
// calls them in uniform control flow alone.
//
//===----------------------------------------------------------------------===//
FZ_FN u32 fz_tid_x() { return __nvvm_read_ptx_sreg_tid_x(); }
FZ_FN u32 fz_tid_y() { return __nvvm_read_ptx_sreg_tid_y(); }
FZ_FN u32 fz_tid_z() { return __nvvm_read_ptx_sreg_tid_z(); }
FZ_FN u32 fz_ntid_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
FZ_FN u32 fz_ntid_y() { return __nvvm_read_ptx_sreg_ntid_y(); }
FZ_FN u32 fz_ntid_z() { return __nvvm_read_ptx_sreg_ntid_z(); }
FZ_FN u32 fz_ctaid_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
FZ_FN u32 fz_ctaid_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
FZ_FN u32 fz_ctaid_z() { return __nvvm_read_ptx_sreg_ctaid_z(); }
FZ_FN u32 fz_nctaid_x() { return __nvvm_read_ptx_sreg_nctaid_x(); }
FZ_FN u32 fz_nctaid_y() { return __nvvm_read_ptx_sreg_nctaid_y(); }

FZ_FN void fz_barrier() { __syncthreads(); }
FZ_FN u32 fz_barrier_popc(u32 p) { return __nvvm_bar0_popc(p); }
FZ_FN u32 fz_barrier_and(u32 p) { return __nvvm_bar0_and(p) != 0; }
FZ_FN u32 fz_barrier_or(u32 p) { return __nvvm_bar0_or(p) != 0; }

// For 'count' threads, in whatever places they wait.
#define fz_barrier_part(count, id) __nvvm_barrier_sync_cnt(id, count)
FZ_FN void fz_syncwarp() { __nvvm_bar_warp_sync(~0u); }

#define FZ_SHUFFLE(name, builtin, clamp)                                       \
  FZ_FN u32 name(u32 v, u32 lane) {                                            \
    return (u32)builtin(~0u, (i32)v, (i32)(lane & 31u), clamp);                \
  }
FZ_SHUFFLE(fz_shfl_xor, __nvvm_shfl_sync_bfly_i32, 0x1f)
FZ_SHUFFLE(fz_shfl_idx, __nvvm_shfl_sync_idx_i32, 0x1f)
FZ_SHUFFLE(fz_shfl_up, __nvvm_shfl_sync_up_i32, 0)
FZ_SHUFFLE(fz_shfl_down, __nvvm_shfl_sync_down_i32, 0x1f)
#undef FZ_SHUFFLE
FZ_FN u32 fz_ballot(bool p) { return __nvvm_vote_ballot_sync(~0u, p); }
FZ_FN bool fz_any(bool p) { return __nvvm_vote_any_sync(~0u, p); }
FZ_FN bool fz_all(bool p) { return __nvvm_vote_all_sync(~0u, p); }

#define FZ_ATOMIC(name, builtin)                                               \
  FZ_FN u32 name(u32 *p, u32 v) { return (u32)builtin((i32 *)p, (i32)v); }
FZ_ATOMIC(fz_atomic_add, __nvvm_atom_add_gen_i)
FZ_ATOMIC(fz_atomic_xor, __nvvm_atom_xor_gen_i)
FZ_ATOMIC(fz_atomic_and, __nvvm_atom_and_gen_i)
FZ_ATOMIC(fz_atomic_or, __nvvm_atom_or_gen_i)
FZ_ATOMIC(fz_exchange, __nvvm_atom_xchg_gen_i)
#undef FZ_ATOMIC
FZ_FN u32 fz_atomic_max(u32 *p, u32 v) { return __nvvm_atom_max_gen_ui(p, v); }
FZ_FN u32 fz_atomic_min(u32 *p, u32 v) { return __nvvm_atom_min_gen_ui(p, v); }

FZ_FN void fz_asm_put(u32 *p, u32 v) {
  asm volatile("st.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
FZ_FN void fz_asm_put_shared(u32 *p, u32 v) {
  asm volatile("{\n\t.reg .b64 p;\n\tcvta.to.shared.u64 p, %0;\n\t"
               "st.shared.u32 [p], %1;\n\t}" ::"l"(p),
               "r"(v)
               : "memory");
}

FZ_FN u32 fz_asm_add(u32 a, u32 b) {
  u32 r;
  asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
FZ_FN u32 fz_asm_xor3(u32 a, u32 b, u32 c) {
  u32 r;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
FZ_FN u32 fz_asm_maj(u32 a, u32 b, u32 c) {
  u32 r;
  asm volatile("lop3.b32 %0, %1, %2, %3, 0xe8;"
               : "=r"(r)
               : "r"(a), "r"(b), "r"(c));
  return r;
}
FZ_FN u64 fz_asm_mad64(u64 a, u64 b, u64 c) {
  u64 r;
  asm("mad.lo.u64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "l"(b), "l"(c));
  return r;
}
FZ_FN u64 fz_asm_madwide(u32 a, u32 b, u64 c) {
  u64 r;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c));
  return r;
}
FZ_FN u32 fz_asm_prmt(u32 a, u32 b) {
  u32 r;
  asm("prmt.b32 %0, %1, %2, 0x2541;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
FZ_FN u32 fz_asm_bfe(u32 a) {
  u32 r;
  asm("bfe.u32 %0, %1, 5, 11;" : "=r"(r) : "r"(a));
  return r;
}
FZ_FN u32 fz_asm_select(u32 a, u32 b, u32 c) {
  u32 r;
  asm("{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %1, %2;\n\t"
      "selp.b32 %0, %3, %1, p;\n\t}"
      : "=r"(r)
      : "r"(a), "r"(b), "r"(c));
  return r;
}
FZ_FN u64 fz_asm_pack(u32 lo, u32 hi) {
  u64 r;
  asm("mov.b64 %0, {%1, %2};" : "=l"(r) : "r"(lo), "r"(hi));
  return r;
}
FZ_FN u128 fz_asm_pack128(u64 lo, u64 hi) {
  u128 r;
  asm("mov.b128 %0, {%1, %2};" : "=q"(r) : "l"(lo), "l"(hi));
  return r;
}
FZ_FN u16 fz_asm_add16(u16 a, u16 b) {
  u16 r;
  asm("add.u16 %0, %1, %2;" : "=h"(r) : "h"(a), "h"(b));
  return r;
}
FZ_FN f32 fz_asm_fma(f32 a, f32 b, f32 c) {
  f32 r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
  return r;
}
FZ_FN f64 fz_asm_fma64(f64 a, f64 b, f64 c) {
  f64 r;
  asm volatile("fma.rn.f64 %0, %1, %2, %3;" : "=d"(r) : "d"(a), "d"(b), "d"(c));
  return r;
}
// Read and written operands, two results, and a memory clobber.
FZ_FN void fz_asm_accumulate(u32 *acc, u32 b) {
  u32 r = *acc;
  asm volatile("add.u32 %0, %0, %1;" : "+r"(r) : "r"(b) : "memory");
  *acc = r;
}
FZ_FN void fz_asm_sumdiff(u32 *a, u32 *b) {
  u32 s, d;
  asm("add.u32 %0, %2, %3;\n\tsub.u32 %1, %2, %3;"
      : "=&r"(s), "=&r"(d)
      : "r"(*a), "r"(*b));
  *a = s;
  *b = d;
}
FZ_FN void fz_asm_carry(u32 *lo, u32 *hi, u32 b) {
  asm volatile("add.cc.u32 %0, %0, %2;\n\taddc.u32 %1, %1, %2;"
               : "+&r"(*lo), "+r"(*hi)
               : "r"(b));
}
// What ptxas may fuse into sums, or scale: products and quotients as clang's
// builtins and inline assembly write them, and words that hold a product.
FZ_FN f32 fz_div_approx(f32 a, f32 b) { return __nvvm_div_approx_f(a, b); }
FZ_FN f32 fz_rcp_approx(f32 a) { return __nvvm_rcp_approx_ftz_f(a); }
FZ_FN f32 fz_sqrt_approx(f32 a) { return __nvvm_sqrt_approx_f(a); }
FZ_FN f32 fz_mul_rn(f32 a, f32 b) { return __nvvm_mul_rn_f(a, b); }
FZ_FN f32 fz_add_rn(f32 a, f32 b) { return __nvvm_add_rn_f(a, b); }
FZ_FN f32 fz_asm_mul_f32(f32 a, f32 b) {
  f32 r;
  asm("mul.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
FZ_FN f32 fz_asm_add_f32(f32 a, f32 b) {
  f32 r;
  asm("add.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
FZ_FN f32 fz_asm_div_f32(f32 a, f32 b) {
  f32 r;
  asm("div.full.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
FZ_FN f32 fz_asm_first(f32 a, f32 b) {
  u64 pair;
  f32 r;
  asm("mov.b64 %0, {%1, %2};" : "=l"(pair) : "f"(a), "f"(b));
  asm("mov.b64 {%0, _}, %1;" : "=f"(r) : "l"(pair));
  return r;
}
