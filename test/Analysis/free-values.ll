; What ptxas reads without a register of its own is no pressure and no
; candidate: parameters, symbols' addresses, immediates and words of constant
; memory whose place is known.
; RUN: %regdem-opt --mcpu=sm_90 --print=candidates %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@table = internal addrspace(1) global [16 x i32] zeroinitializer

; CHECK: === candidates of parameters
; CHECK-NEXT: 2 words, free
; CHECK-NEXT: 1 words, demotable
; CHECK-NOT: words
define ptx_kernel void @parameters(ptr addrspace(1) %p) {
  %v = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v, ptr addrspace(1) %p
  ret void
}

; CHECK: === candidates of symbol
; CHECK: 2 words, free
define ptx_kernel void @symbol(i32 %i) {
  %x = sext i32 %i to i64
  %a = getelementptr inbounds i32, ptr addrspace(1) @table, i64 %x
  %v = load volatile i32, ptr addrspace(1) %a
  store volatile i32 %v, ptr addrspace(1) %a
  ret void
}

@settings = addrspace(4) externally_initialized global [16 x float] zeroinitializer, align 4

; CHECK: === candidates of constant
; CHECK-NEXT: 2 words, free
; CHECK-NEXT: 1 words, free
; CHECK-NEXT: 1 words, demotable
define ptx_kernel void @constant(ptr addrspace(1) %p) {
  %c = load float, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @settings, i64 8), !invariant.load !0
  %v = load volatile float, ptr addrspace(1) %p
  %s = fadd float %v, %c
  store volatile float %s, ptr addrspace(1) %p
  ret void
}

; Where it depends on an index, it is loaded.
; CHECK: === candidates of indexed
; CHECK-NOT: 1 words, free
define ptx_kernel void @indexed(ptr addrspace(1) %p) {
  %i = load volatile i32, ptr addrspace(1) %p
  %x = sext i32 %i to i64
  %a = getelementptr inbounds float, ptr addrspace(4) @settings, i64 %x
  %c = load float, ptr addrspace(4) %a
  store volatile float %c, ptr addrspace(1) %p
  ret void
}

!0 = !{}
