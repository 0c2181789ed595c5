; On a GPU whose limits are not known a stated cap holds; blocks per SM are none.
; RUN: %llc -load-pass-plugin=%plugin -mcpu=sm_30 -regdem-mode=demote -regdem-max-regs=16 -pass-remarks=regdem %s -o %t.s 2>&1 | FileCheck %s
; RUN: grep '.maxnreg 16' %t.s
; RUN: %llc -load-pass-plugin=%plugin -mcpu=sm_30 -regdem-mode=demote -regdem-min-blocks=4 %s -o %t.s 2>&1 | FileCheck %s --check-prefix=BLOCKS
; RUN: %llc -mcpu=sm_30 %s -o %t.stock.s
; RUN: cmp %t.stock.s %t.s
; CHECK: 'kernel' held to 16 registers: nothing else was tried, as the limits of this GPU architecture are not known
; BLOCKS: warning: regdem: 'kernel' is not held to 4 blocks per SM: the limits of this GPU architecture are not known
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr addrspace(1) %p) "nvvm.maxntid"="128" {
  store volatile i32 1, ptr addrspace(1) %p
  ret void
}
