; What ptxas reads without a register of its own is no pressure and no
; candidate: parameters, symbols' addresses and immediates.
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
