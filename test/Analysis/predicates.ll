; Predicates have registers of their own: they take no words and are never
; demoted.
; RUN: %regdem-opt --mcpu=sm_90 --print=candidates %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: 0 words, predicate
define ptx_kernel void @choose(ptr addrspace(1) %p) {
  %a = load volatile i32, ptr addrspace(1) %p
  %negative = icmp slt i32 %a, 0
  %b = load volatile i32, ptr addrspace(1) %p
  br i1 %negative, label %yes, label %no
yes:
  store volatile i32 %b, ptr addrspace(1) %p
  br label %no
no:
  ret void
}
