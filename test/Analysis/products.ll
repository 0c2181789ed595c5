; A product that ptxas may fuse into a sum is no candidate, even where inline
; assembly makes the product or the sum. Rounded products and those of integers
; are.
; RUN: %regdem-opt --mcpu=sm_90 --print=candidates %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: === candidates of asm_product
; CHECK: 1 words, product that ptxas may fuse
define ptx_kernel void @asm_product(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %ab = call float asm "mul.ftz.f32 $0, $1, $1;", "=f,f"(float %a)
  %sum = fadd contract float %ab, %a
  store volatile float %sum, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: === candidates of asm_sum
; CHECK: 1 words, product that ptxas may fuse
define ptx_kernel void @asm_sum(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %ab = fmul contract float %a, %a
  %sum = call float asm "{ .reg .f32 t; sub.f32 $0, $1, $2; }", "=f,f,f"(float %ab, float %a)
  store volatile float %sum, ptr addrspace(1) %p
  ret void
}

; Nor is what another sign makes of one: ptxas looks through it.
; CHECK-LABEL: === candidates of other_sign
; CHECK: 1 words, product that ptxas may fuse
; CHECK-NEXT: 1 words, product that ptxas may fuse
; CHECK-NEXT: 1 words, demotable
define ptx_kernel void @other_sign(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %ab = fmul contract float %a, %a
  %positive = call float @llvm.fabs.f32(float %ab)
  %sum = fadd contract float %positive, 1.0
  store volatile float %sum, ptr addrspace(1) %p
  ret void
}

; Nor is one that ptxas may scale by a power of two while it multiplies.
; CHECK-LABEL: === candidates of scaled
; CHECK: 1 words, product that ptxas may fuse
; CHECK-LABEL: === candidates of multiplied
; CHECK-NOT: product
define ptx_kernel void @scaled(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %ab = fmul contract float %a, %a
  %half = fmul contract float %ab, 0.5
  store volatile float %half, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @multiplied(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %ab = fmul contract float %a, %a
  %more = fmul contract float %ab, 3.0
  store volatile float %more, ptr addrspace(1) %p
  ret void
}

; The scaling may be told to round, and its power of two may have a register.
; CHECK-LABEL: === candidates of scaled_and_rounded
; CHECK: 1 words, product that ptxas may fuse
define ptx_kernel void @scaled_and_rounded(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %ab = fmul contract float %a, %a
  %half = call float @llvm.nvvm.mul.rn.f(float %ab, float 0.5)
  store volatile float %half, ptr addrspace(1) %p
  ret void
}

; An approximate quotient is a product with a reciprocal; an exact one is none.
; CHECK-LABEL: === candidates of quotient
; CHECK: 1 words, product that ptxas may fuse
; CHECK-LABEL: === candidates of reciprocal
; CHECK: 1 words, product that ptxas may fuse
; CHECK-LABEL: === candidates of asm_quotient
; CHECK: 1 words, product that ptxas may fuse
; CHECK-LABEL: === candidates of exact_quotient
; CHECK-NOT: product
define ptx_kernel void @quotient(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %b = load volatile float, ptr addrspace(1) %p
  %q = fdiv afn contract float %a, %b
  %sum = fadd contract float %q, %a
  store volatile float %sum, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @reciprocal(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %q = fdiv afn contract float 1.0, %a
  %sum = fadd contract float %q, %a
  store volatile float %sum, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @asm_quotient(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %q = call float asm "div.full.f32 $0, $1, $1;", "=f,f"(float %a)
  %sum = fadd contract float %q, %a
  store volatile float %sum, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @exact_quotient(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %b = load volatile float, ptr addrspace(1) %p
  %q = fdiv contract float %a, %b
  %sum = fadd contract float %q, %a
  store volatile float %sum, ptr addrspace(1) %p
  ret void
}

; A word that a product is part of hands it on.
; CHECK-LABEL: === candidates of pair
; CHECK: 2 words, product that ptxas may fuse
define ptx_kernel void @pair(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %ab = fmul contract float %a, %a
  %pair = call i64 asm "mov.b64 $0, {$1, $2};", "=l,f,f"(float %a, float %ab)
  %high = lshr i64 %pair, 32
  %word = trunc i64 %high to i32
  %again = bitcast i32 %word to float
  %sum = fadd contract float %again, %a
  store volatile float %sum, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: === candidates of rounded
; CHECK-NOT: product
; CHECK-LABEL: === candidates of integers
; CHECK-NOT: product
define ptx_kernel void @rounded(ptr addrspace(1) %p) {
  %a = load volatile float, ptr addrspace(1) %p
  %ab = call float asm "mul.rn.f32 $0, $1, $1;", "=f,f"(float %a)
  %sum = fadd contract float %ab, %a
  store volatile float %sum, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @integers(ptr addrspace(1) %p) {
  %a = load volatile i32, ptr addrspace(1) %p
  %ab = call i32 asm "mul.lo.s32 $0, $1, $1;", "=r,r"(i32 %a)
  %sum = call i32 asm "add.s32 $0, $1, $2;", "=r,r,r"(i32 %ab, i32 %a)
  store volatile i32 %sum, ptr addrspace(1) %p
  ret void
}
