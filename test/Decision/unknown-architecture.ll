; A GPU whose limits are not known is left alone, with a remark.
; RUN: %llc -load-pass-plugin=%plugin -mcpu=sm_30 -regdem-mode=demote -regdem-max-regs=16 -pass-remarks-missed=regdem %s -o %t.s 2>&1 | FileCheck %s
; RUN: %llc -mcpu=sm_30 %s -o %t.stock.s
; RUN: cmp %t.stock.s %t.s
; CHECK: 'kernel' left as it is: the limits of this GPU architecture are not known
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr addrspace(1) %p) "nvvm.maxntid"="128" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
