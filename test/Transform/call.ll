; Values live across a call are demoted around it; the callee gets no shared
; memory of its own.
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem -regdem-build=demote=belady:12 -verify-machineinstrs -regdem-report=%t.jsonl %s -o %t.s
; RUN: FileCheck %s --input-file=%t.s
; RUN: %region %t.s %t.jsonl
; CHECK:     .shared .align 8 .b8 __regdem_slots_caller
; CHECK-NOT: .shared .align
; CHECK:     .func {{.*}}callee
; CHECK-NOT: shared
; CHECK:     .entry caller
; CHECK:     st.shared
; CHECK:     call{{.*}}callee
; CHECK:     ld.shared
target triple = "nvptx64-nvidia-cuda"

define i32 @callee(i32 %x) noinline {
  %y = mul i32 %x, 3
  ret i32 %y
}

define ptx_kernel void @caller(ptr addrspace(1) %p) "nvvm.reqntid"="128" "nvvm.maxnreg"="16" {
  %a0 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 0
  %v0 = load volatile i32, ptr addrspace(1) %a0
  %a1 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 1
  %v1 = load volatile i32, ptr addrspace(1) %a1
  %a2 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 2
  %v2 = load volatile i32, ptr addrspace(1) %a2
  %a3 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 3
  %v3 = load volatile i32, ptr addrspace(1) %a3
  %a4 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 4
  %v4 = load volatile i32, ptr addrspace(1) %a4
  %a5 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 5
  %v5 = load volatile i32, ptr addrspace(1) %a5
  %a6 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 6
  %v6 = load volatile i32, ptr addrspace(1) %a6
  %a7 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 7
  %v7 = load volatile i32, ptr addrspace(1) %a7
  %a8 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 8
  %v8 = load volatile i32, ptr addrspace(1) %a8
  %a9 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 9
  %v9 = load volatile i32, ptr addrspace(1) %a9
  %a10 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 10
  %v10 = load volatile i32, ptr addrspace(1) %a10
  %a11 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 11
  %v11 = load volatile i32, ptr addrspace(1) %a11
  %a12 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 12
  %v12 = load volatile i32, ptr addrspace(1) %a12
  %a13 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 13
  %v13 = load volatile i32, ptr addrspace(1) %a13
  %a14 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 14
  %v14 = load volatile i32, ptr addrspace(1) %a14
  %a15 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 15
  %v15 = load volatile i32, ptr addrspace(1) %a15
  %a16 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 16
  %v16 = load volatile i32, ptr addrspace(1) %a16
  %a17 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 17
  %v17 = load volatile i32, ptr addrspace(1) %a17
  %a18 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 18
  %v18 = load volatile i32, ptr addrspace(1) %a18
  %a19 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 19
  %v19 = load volatile i32, ptr addrspace(1) %a19
  %r = call i32 @callee(i32 %v0)
  store volatile i32 %r, ptr addrspace(1) %p
  store volatile i32 %v0, ptr addrspace(1) %a0
  store volatile i32 %v1, ptr addrspace(1) %a1
  store volatile i32 %v2, ptr addrspace(1) %a2
  store volatile i32 %v3, ptr addrspace(1) %a3
  store volatile i32 %v4, ptr addrspace(1) %a4
  store volatile i32 %v5, ptr addrspace(1) %a5
  store volatile i32 %v6, ptr addrspace(1) %a6
  store volatile i32 %v7, ptr addrspace(1) %a7
  store volatile i32 %v8, ptr addrspace(1) %a8
  store volatile i32 %v9, ptr addrspace(1) %a9
  store volatile i32 %v10, ptr addrspace(1) %a10
  store volatile i32 %v11, ptr addrspace(1) %a11
  store volatile i32 %v12, ptr addrspace(1) %a12
  store volatile i32 %v13, ptr addrspace(1) %a13
  store volatile i32 %v14, ptr addrspace(1) %a14
  store volatile i32 %v15, ptr addrspace(1) %a15
  store volatile i32 %v16, ptr addrspace(1) %a16
  store volatile i32 %v17, ptr addrspace(1) %a17
  store volatile i32 %v18, ptr addrspace(1) %a18
  store volatile i32 %v19, ptr addrspace(1) %a19
  ret void
}
