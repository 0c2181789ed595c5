; A kernel that may be launched cooperatively is recognised by its reading the
; registers in which the driver tells it about the grid, in itself and in what
; it calls.
; RUN: %regdem-opt --mcpu=sm_90 --print=facts %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.envreg1()

; CHECK-LABEL: kernel: by_intrinsic
; CHECK: cooperative: yes
define ptx_kernel void @by_intrinsic(ptr %p) {
  %r = call i32 @llvm.nvvm.read.ptx.sreg.envreg1()
  store i32 %r, ptr %p
  ret void
}

; CHECK-LABEL: kernel: by_assembly
; CHECK: cooperative: yes
define ptx_kernel void @by_assembly(ptr %p) {
  %r = call i32 asm sideeffect "mov.u32 $0, %envreg2;", "=r"()
  store i32 %r, ptr %p
  ret void
}

; CHECK-LABEL: kernel: in_callee
; CHECK: cooperative: yes
define ptx_kernel void @in_callee(ptr %p) {
  call void @by_assembly_too(ptr %p)
  ret void
}

define void @by_assembly_too(ptr %p) noinline {
  %r = call i32 asm sideeffect "mov.u32 $0, %envreg2;", "=r"()
  store i32 %r, ptr %p
  ret void
}

; CHECK-LABEL: kernel: without
; CHECK: cooperative: no
define ptx_kernel void @without(ptr %p) {
  %r = call i32 asm sideeffect "mov.u32 $0, %laneid;", "=r"()
  store i32 %r, ptr %p
  ret void
}
