; A kernel that changes its register count is recognised by the intrinsic and
; by inline assembly, in itself and in what it calls.
; RUN: %regdem-opt --mcpu=sm_90a --print=facts %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32)

; CHECK-LABEL: kernel: by_intrinsic
; CHECK: setmaxnreg: yes
define ptx_kernel void @by_intrinsic() {
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 40)
  ret void
}

; CHECK-LABEL: kernel: by_assembly
; CHECK: setmaxnreg: yes
define ptx_kernel void @by_assembly() {
  call void asm sideeffect "setmaxnreg.inc.sync.aligned.u32 160;", ""()
  ret void
}

; CHECK-LABEL: kernel: in_callee
; CHECK: setmaxnreg: yes
define ptx_kernel void @in_callee() {
  call void @callee()
  ret void
}

define void @callee() noinline {
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 40)
  ret void
}

; CHECK-LABEL: kernel: without
; CHECK: setmaxnreg: no
define ptx_kernel void @without() {
  call void asm sideeffect "membar.gl;", ""()
  ret void
}
