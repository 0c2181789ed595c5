; Values that depend on nothing but the loop's counter and parameters are the
; same for a warp: ptxas keeps them in uniform registers, and no slot is spent on
; them. That counts where they are many, and on architectures that have such
; registers.
; RUN: %regdem-opt --mcpu=sm_90 --print=candidates %s | FileCheck %s
; RUN: %regdem-opt --mcpu=sm_70 --print=candidates %s | FileCheck %s --check-prefix=NONE
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem -regdem-mode=demote -regdem-max-regs=32 -regdem-ptxas=off -regdem-verify -regdem-report=%t.jsonl %s -o /dev/null
; RUN: %report %t.jsonl many "slots < 16"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL:         === candidates of many
; CHECK-COUNT-20:      uniform register
; CHECK-LABEL:         === candidates of few
; CHECK-NOT:           uniform register
; NONE-NOT:            uniform register

define ptx_kernel void @many(ptr addrspace(1) %p, i32 %u) "nvvm.reqntid"="128" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = add i32 %i, %u
  %s0 = udiv i32 %x, 3
  %s1 = mul i32 %s0, %s0
  %s2 = mul i32 %s1, %s1
  %s3 = mul i32 %s2, %s2
  %s4 = mul i32 %s3, %s3
  %s5 = mul i32 %s4, %s4
  %s6 = mul i32 %s5, %s5
  %s7 = mul i32 %s6, %s6
  %s8 = mul i32 %s7, %s7
  %s9 = mul i32 %s8, %s8
  %s10 = mul i32 %s9, %s9
  %s11 = mul i32 %s10, %s10
  %s12 = mul i32 %s11, %s11
  %s13 = mul i32 %s12, %s12
  %s14 = mul i32 %s13, %s13
  %s15 = mul i32 %s14, %s14
  %s16 = mul i32 %s15, %s15
  %s17 = mul i32 %s16, %s16
  %s18 = mul i32 %s17, %s17
  %s19 = mul i32 %s18, %s18
  %v0 = load volatile i32, ptr addrspace(1) %p
  %v1 = load volatile i32, ptr addrspace(1) %p
  %v2 = load volatile i32, ptr addrspace(1) %p
  %v3 = load volatile i32, ptr addrspace(1) %p
  %v4 = load volatile i32, ptr addrspace(1) %p
  %v5 = load volatile i32, ptr addrspace(1) %p
  %v6 = load volatile i32, ptr addrspace(1) %p
  %v7 = load volatile i32, ptr addrspace(1) %p
  %v8 = load volatile i32, ptr addrspace(1) %p
  %v9 = load volatile i32, ptr addrspace(1) %p
  %v10 = load volatile i32, ptr addrspace(1) %p
  %v11 = load volatile i32, ptr addrspace(1) %p
  %v12 = load volatile i32, ptr addrspace(1) %p
  %v13 = load volatile i32, ptr addrspace(1) %p
  %v14 = load volatile i32, ptr addrspace(1) %p
  %v15 = load volatile i32, ptr addrspace(1) %p
  %v16 = load volatile i32, ptr addrspace(1) %p
  %v17 = load volatile i32, ptr addrspace(1) %p
  %v18 = load volatile i32, ptr addrspace(1) %p
  %v19 = load volatile i32, ptr addrspace(1) %p
  %a0 = xor i32 %v0, %s0
  store volatile i32 %a0, ptr addrspace(1) %p
  %a1 = xor i32 %v1, %s1
  store volatile i32 %a1, ptr addrspace(1) %p
  %a2 = xor i32 %v2, %s2
  store volatile i32 %a2, ptr addrspace(1) %p
  %a3 = xor i32 %v3, %s3
  store volatile i32 %a3, ptr addrspace(1) %p
  %a4 = xor i32 %v4, %s4
  store volatile i32 %a4, ptr addrspace(1) %p
  %a5 = xor i32 %v5, %s5
  store volatile i32 %a5, ptr addrspace(1) %p
  %a6 = xor i32 %v6, %s6
  store volatile i32 %a6, ptr addrspace(1) %p
  %a7 = xor i32 %v7, %s7
  store volatile i32 %a7, ptr addrspace(1) %p
  %a8 = xor i32 %v8, %s8
  store volatile i32 %a8, ptr addrspace(1) %p
  %a9 = xor i32 %v9, %s9
  store volatile i32 %a9, ptr addrspace(1) %p
  %a10 = xor i32 %v10, %s10
  store volatile i32 %a10, ptr addrspace(1) %p
  %a11 = xor i32 %v11, %s11
  store volatile i32 %a11, ptr addrspace(1) %p
  %a12 = xor i32 %v12, %s12
  store volatile i32 %a12, ptr addrspace(1) %p
  %a13 = xor i32 %v13, %s13
  store volatile i32 %a13, ptr addrspace(1) %p
  %a14 = xor i32 %v14, %s14
  store volatile i32 %a14, ptr addrspace(1) %p
  %a15 = xor i32 %v15, %s15
  store volatile i32 %a15, ptr addrspace(1) %p
  %a16 = xor i32 %v16, %s16
  store volatile i32 %a16, ptr addrspace(1) %p
  %a17 = xor i32 %v17, %s17
  store volatile i32 %a17, ptr addrspace(1) %p
  %a18 = xor i32 %v18, %s18
  store volatile i32 %a18, ptr addrspace(1) %p
  %a19 = xor i32 %v19, %s19
  store volatile i32 %a19, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %u
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define ptx_kernel void @few(ptr addrspace(1) %p, i32 %u) "nvvm.reqntid"="128" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = add i32 %i, %u
  %s0 = udiv i32 %x, 3
  %s1 = mul i32 %s0, %s0
  %s2 = mul i32 %s1, %s1
  %s3 = mul i32 %s2, %s2
  %s4 = mul i32 %s3, %s3
  %s5 = mul i32 %s4, %s4
  %v0 = load volatile i32, ptr addrspace(1) %p
  %v1 = load volatile i32, ptr addrspace(1) %p
  %v2 = load volatile i32, ptr addrspace(1) %p
  %v3 = load volatile i32, ptr addrspace(1) %p
  %v4 = load volatile i32, ptr addrspace(1) %p
  %v5 = load volatile i32, ptr addrspace(1) %p
  %a0 = xor i32 %v0, %s0
  store volatile i32 %a0, ptr addrspace(1) %p
  %a1 = xor i32 %v1, %s1
  store volatile i32 %a1, ptr addrspace(1) %p
  %a2 = xor i32 %v2, %s2
  store volatile i32 %a2, ptr addrspace(1) %p
  %a3 = xor i32 %v3, %s3
  store volatile i32 %a3, ptr addrspace(1) %p
  %a4 = xor i32 %v4, %s4
  store volatile i32 %a4, ptr addrspace(1) %p
  %a5 = xor i32 %v5, %s5
  store volatile i32 %a5, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %u
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
