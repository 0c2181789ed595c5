; Shared memory that assembly declares is a fact of the kernels that can run it,
; and of all kernels where the file's own assembly does.
; RUN: %regdem-opt --mcpu=sm_90 --print=facts %s | FileCheck %s
; RUN: sed 's/^;FILE //' %s > %t.ll
; RUN: %regdem-opt --mcpu=sm_90 --print=facts %t.ll | FileCheck %s --check-prefix=FILE
target triple = "nvptx64-nvidia-cuda"

;FILE module asm ".extern .shared .align 16 .b8 All[];"

; CHECK-LABEL: kernel: declares
; CHECK: shared-in-asm: yes
define ptx_kernel void @declares() {
  call void asm sideeffect ".shared .b32 X;", ""()
  ret void
}

; CHECK-LABEL: kernel: accesses
; CHECK: shared-in-asm: no
; FILE-LABEL: kernel: accesses
; FILE: shared-in-asm: yes
define ptx_kernel void @accesses(i32 %a) {
  call void asm sideeffect "ld.shared.u32 %r0, [$0]; mapa.shared::cluster.u32 %r0, $0, 1;", "r"(i32 %a)
  ret void
}
