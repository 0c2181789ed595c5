; A kernel with operations that use registers until they are waited for is
; recognised by inline assembly and by intrinsics, in itself and in what it
; calls.
; RUN: %regdem-opt --mcpu=sm_100a --print=facts %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.tcgen05.ld.32x32b.x1(ptr addrspace(6), i1)

; CHECK-LABEL: kernel: multiplies
; CHECK: async-registers: yes
define ptx_kernel void @multiplies(i64 %a, i64 %b) {
  %d = call { float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, 0, 1, 1, 0, 0;", "=f,=f,=f,=f,l,l"(i64 %a, i64 %b)
  ret void
}

; CHECK-LABEL: kernel: loads
; CHECK: async-registers: yes
define ptx_kernel void @loads() {
  call void @callee(ptr addrspace(6) null)
  ret void
}

define void @callee(ptr addrspace(6) %p) noinline {
  %v = call i32 @llvm.nvvm.tcgen05.ld.32x32b.x1(ptr addrspace(6) %p, i1 false)
  ret void
}

; CHECK-LABEL: kernel: stores
; CHECK: async-registers: yes
define ptx_kernel void @stores(i32 %p, i32 %v) {
  call void asm sideeffect "tcgen05.st.sync.aligned.32x32b.x1.b32 [$0], {$1};", "r,r"(i32 %p, i32 %v)
  ret void
}

; CHECK-LABEL: kernel: without
; CHECK: async-registers: no
define ptx_kernel void @without() {
  call void asm sideeffect "cp.async.wait_all;", ""()
  ret void
}
