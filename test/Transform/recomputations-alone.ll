; Where everything that leaves its register is recomputed, there is no shared
; memory and no base address, and the kernel's threads are not limited.
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem "-regdem-build=cap=18 demote=belady:14" -regdem-block-size=128 -regdem-verify -regdem-report=%t.jsonl %s -o - | FileCheck %s
; RUN: %report %t.jsonl xors "decision == 'demote'" "recomputations > 0" "slots == 0" "slot_bytes == 0" "stores == 0" "reloads == 0" "pressure_after <= 14"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: .shared
; CHECK-NOT: tid.x
; CHECK-NOT: .maxntid
; CHECK:     .maxnreg 18
define ptx_kernel void @xors(ptr addrspace(1) %p, i32 %u) {
  %f0 = xor i32 %u, 50
  %f1 = xor i32 %u, 51
  %f2 = xor i32 %u, 52
  %f3 = xor i32 %u, 53
  %f4 = xor i32 %u, 54
  %f5 = xor i32 %u, 55
  %f6 = xor i32 %u, 56
  %f7 = xor i32 %u, 57
  store volatile i32 %f0, ptr addrspace(1) %p
  store volatile i32 %f1, ptr addrspace(1) %p
  store volatile i32 %f2, ptr addrspace(1) %p
  store volatile i32 %f3, ptr addrspace(1) %p
  store volatile i32 %f4, ptr addrspace(1) %p
  store volatile i32 %f5, ptr addrspace(1) %p
  store volatile i32 %f6, ptr addrspace(1) %p
  store volatile i32 %f7, ptr addrspace(1) %p
  %h0 = load volatile i32, ptr addrspace(1) %p
  %h1 = load volatile i32, ptr addrspace(1) %p
  %h2 = load volatile i32, ptr addrspace(1) %p
  %h3 = load volatile i32, ptr addrspace(1) %p
  %h4 = load volatile i32, ptr addrspace(1) %p
  %h5 = load volatile i32, ptr addrspace(1) %p
  %h6 = load volatile i32, ptr addrspace(1) %p
  %h7 = load volatile i32, ptr addrspace(1) %p
  %h8 = load volatile i32, ptr addrspace(1) %p
  %h9 = load volatile i32, ptr addrspace(1) %p
  %h10 = load volatile i32, ptr addrspace(1) %p
  %h11 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %h0, ptr addrspace(1) %p
  store volatile i32 %h1, ptr addrspace(1) %p
  store volatile i32 %h2, ptr addrspace(1) %p
  store volatile i32 %h3, ptr addrspace(1) %p
  store volatile i32 %h4, ptr addrspace(1) %p
  store volatile i32 %h5, ptr addrspace(1) %p
  store volatile i32 %h6, ptr addrspace(1) %p
  store volatile i32 %h7, ptr addrspace(1) %p
  store volatile i32 %h8, ptr addrspace(1) %p
  store volatile i32 %h9, ptr addrspace(1) %p
  store volatile i32 %h10, ptr addrspace(1) %p
  store volatile i32 %h11, ptr addrspace(1) %p
  store volatile i32 %f0, ptr addrspace(1) %p
  store volatile i32 %f1, ptr addrspace(1) %p
  store volatile i32 %f2, ptr addrspace(1) %p
  store volatile i32 %f3, ptr addrspace(1) %p
  store volatile i32 %f4, ptr addrspace(1) %p
  store volatile i32 %f5, ptr addrspace(1) %p
  store volatile i32 %f6, ptr addrspace(1) %p
  store volatile i32 %f7, ptr addrspace(1) %p
  ret void
}
