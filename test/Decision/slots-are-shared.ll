; Stretches that do not overlap share slots: two sections one after the other
; take no more words than one.
; RUN: %regdem-opt --mcpu=sm_90 --print=plan "-regdem-build=cap=16 demote=belady:12" %s | FileCheck %s
; CHECK-LABEL: plan of once
; CHECK: slots: [[WORDS:[0-9]+]] words
; CHECK-LABEL: plan of twice
; CHECK: slots: [[WORDS]] words
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @once(ptr addrspace(1) %p) "nvvm.maxntid"="128" {
  %v0_0 = load volatile i32, ptr addrspace(1) %p
  %v0_1 = load volatile i32, ptr addrspace(1) %p
  %v0_2 = load volatile i32, ptr addrspace(1) %p
  %v0_3 = load volatile i32, ptr addrspace(1) %p
  %v0_4 = load volatile i32, ptr addrspace(1) %p
  %v0_5 = load volatile i32, ptr addrspace(1) %p
  %v0_6 = load volatile i32, ptr addrspace(1) %p
  %v0_7 = load volatile i32, ptr addrspace(1) %p
  %v0_8 = load volatile i32, ptr addrspace(1) %p
  %v0_9 = load volatile i32, ptr addrspace(1) %p
  %v0_10 = load volatile i32, ptr addrspace(1) %p
  %v0_11 = load volatile i32, ptr addrspace(1) %p
  %v0_12 = load volatile i32, ptr addrspace(1) %p
  %v0_13 = load volatile i32, ptr addrspace(1) %p
  %v0_14 = load volatile i32, ptr addrspace(1) %p
  %v0_15 = load volatile i32, ptr addrspace(1) %p
  %v0_16 = load volatile i32, ptr addrspace(1) %p
  %v0_17 = load volatile i32, ptr addrspace(1) %p
  %v0_18 = load volatile i32, ptr addrspace(1) %p
  %v0_19 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v0_0, ptr addrspace(1) %p
  store volatile i32 %v0_1, ptr addrspace(1) %p
  store volatile i32 %v0_2, ptr addrspace(1) %p
  store volatile i32 %v0_3, ptr addrspace(1) %p
  store volatile i32 %v0_4, ptr addrspace(1) %p
  store volatile i32 %v0_5, ptr addrspace(1) %p
  store volatile i32 %v0_6, ptr addrspace(1) %p
  store volatile i32 %v0_7, ptr addrspace(1) %p
  store volatile i32 %v0_8, ptr addrspace(1) %p
  store volatile i32 %v0_9, ptr addrspace(1) %p
  store volatile i32 %v0_10, ptr addrspace(1) %p
  store volatile i32 %v0_11, ptr addrspace(1) %p
  store volatile i32 %v0_12, ptr addrspace(1) %p
  store volatile i32 %v0_13, ptr addrspace(1) %p
  store volatile i32 %v0_14, ptr addrspace(1) %p
  store volatile i32 %v0_15, ptr addrspace(1) %p
  store volatile i32 %v0_16, ptr addrspace(1) %p
  store volatile i32 %v0_17, ptr addrspace(1) %p
  store volatile i32 %v0_18, ptr addrspace(1) %p
  store volatile i32 %v0_19, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @twice(ptr addrspace(1) %p) "nvvm.maxntid"="128" {
  %v0_0 = load volatile i32, ptr addrspace(1) %p
  %v0_1 = load volatile i32, ptr addrspace(1) %p
  %v0_2 = load volatile i32, ptr addrspace(1) %p
  %v0_3 = load volatile i32, ptr addrspace(1) %p
  %v0_4 = load volatile i32, ptr addrspace(1) %p
  %v0_5 = load volatile i32, ptr addrspace(1) %p
  %v0_6 = load volatile i32, ptr addrspace(1) %p
  %v0_7 = load volatile i32, ptr addrspace(1) %p
  %v0_8 = load volatile i32, ptr addrspace(1) %p
  %v0_9 = load volatile i32, ptr addrspace(1) %p
  %v0_10 = load volatile i32, ptr addrspace(1) %p
  %v0_11 = load volatile i32, ptr addrspace(1) %p
  %v0_12 = load volatile i32, ptr addrspace(1) %p
  %v0_13 = load volatile i32, ptr addrspace(1) %p
  %v0_14 = load volatile i32, ptr addrspace(1) %p
  %v0_15 = load volatile i32, ptr addrspace(1) %p
  %v0_16 = load volatile i32, ptr addrspace(1) %p
  %v0_17 = load volatile i32, ptr addrspace(1) %p
  %v0_18 = load volatile i32, ptr addrspace(1) %p
  %v0_19 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v0_0, ptr addrspace(1) %p
  store volatile i32 %v0_1, ptr addrspace(1) %p
  store volatile i32 %v0_2, ptr addrspace(1) %p
  store volatile i32 %v0_3, ptr addrspace(1) %p
  store volatile i32 %v0_4, ptr addrspace(1) %p
  store volatile i32 %v0_5, ptr addrspace(1) %p
  store volatile i32 %v0_6, ptr addrspace(1) %p
  store volatile i32 %v0_7, ptr addrspace(1) %p
  store volatile i32 %v0_8, ptr addrspace(1) %p
  store volatile i32 %v0_9, ptr addrspace(1) %p
  store volatile i32 %v0_10, ptr addrspace(1) %p
  store volatile i32 %v0_11, ptr addrspace(1) %p
  store volatile i32 %v0_12, ptr addrspace(1) %p
  store volatile i32 %v0_13, ptr addrspace(1) %p
  store volatile i32 %v0_14, ptr addrspace(1) %p
  store volatile i32 %v0_15, ptr addrspace(1) %p
  store volatile i32 %v0_16, ptr addrspace(1) %p
  store volatile i32 %v0_17, ptr addrspace(1) %p
  store volatile i32 %v0_18, ptr addrspace(1) %p
  store volatile i32 %v0_19, ptr addrspace(1) %p
  %v1_0 = load volatile i32, ptr addrspace(1) %p
  %v1_1 = load volatile i32, ptr addrspace(1) %p
  %v1_2 = load volatile i32, ptr addrspace(1) %p
  %v1_3 = load volatile i32, ptr addrspace(1) %p
  %v1_4 = load volatile i32, ptr addrspace(1) %p
  %v1_5 = load volatile i32, ptr addrspace(1) %p
  %v1_6 = load volatile i32, ptr addrspace(1) %p
  %v1_7 = load volatile i32, ptr addrspace(1) %p
  %v1_8 = load volatile i32, ptr addrspace(1) %p
  %v1_9 = load volatile i32, ptr addrspace(1) %p
  %v1_10 = load volatile i32, ptr addrspace(1) %p
  %v1_11 = load volatile i32, ptr addrspace(1) %p
  %v1_12 = load volatile i32, ptr addrspace(1) %p
  %v1_13 = load volatile i32, ptr addrspace(1) %p
  %v1_14 = load volatile i32, ptr addrspace(1) %p
  %v1_15 = load volatile i32, ptr addrspace(1) %p
  %v1_16 = load volatile i32, ptr addrspace(1) %p
  %v1_17 = load volatile i32, ptr addrspace(1) %p
  %v1_18 = load volatile i32, ptr addrspace(1) %p
  %v1_19 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v1_0, ptr addrspace(1) %p
  store volatile i32 %v1_1, ptr addrspace(1) %p
  store volatile i32 %v1_2, ptr addrspace(1) %p
  store volatile i32 %v1_3, ptr addrspace(1) %p
  store volatile i32 %v1_4, ptr addrspace(1) %p
  store volatile i32 %v1_5, ptr addrspace(1) %p
  store volatile i32 %v1_6, ptr addrspace(1) %p
  store volatile i32 %v1_7, ptr addrspace(1) %p
  store volatile i32 %v1_8, ptr addrspace(1) %p
  store volatile i32 %v1_9, ptr addrspace(1) %p
  store volatile i32 %v1_10, ptr addrspace(1) %p
  store volatile i32 %v1_11, ptr addrspace(1) %p
  store volatile i32 %v1_12, ptr addrspace(1) %p
  store volatile i32 %v1_13, ptr addrspace(1) %p
  store volatile i32 %v1_14, ptr addrspace(1) %p
  store volatile i32 %v1_15, ptr addrspace(1) %p
  store volatile i32 %v1_16, ptr addrspace(1) %p
  store volatile i32 %v1_17, ptr addrspace(1) %p
  store volatile i32 %v1_18, ptr addrspace(1) %p
  store volatile i32 %v1_19, ptr addrspace(1) %p
  ret void
}
