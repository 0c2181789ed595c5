; A value that stands in shared memory, where nothing changes any more, is read
; there again instead of being stored to a slot.
; RUN: %regdem-opt --mcpu=sm_90 --print=candidates %s | FileCheck %s --check-prefix=CANDIDATE
; RUN: %llc-regdem "-regdem-build=cap=20 demote=belady:16" -regdem-verify %s -o - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@table = internal addrspace(3) global [64 x i32] undef, align 16

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CANDIDATE-LABEL: candidates of final
; CANDIDATE:       1 words, demotable, recomputation
; CHECK-LABEL: .entry final
; CHECK:       bar
; CHECK:       ld.shared.b32 [[V:%r[0-9]+]], [table+12];
; CHECK-NOT:   st.shared.b32 {{.*}}, [[V]];
; CHECK:       ld.shared.b32 [[V]], [table+12];
; CHECK-NOT:   st.shared.b32 {{.*}}, [[V]];
; CHECK:       ret;
define ptx_kernel void @final(ptr addrspace(1) %p, ptr addrspace(1) %q) "nvvm.reqntid"="128" {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @table, i64 12)
  store i32 %v, ptr addrspace(1) %q
  %a0 = getelementptr i32, ptr addrspace(1) %p, i32 0
  %h0 = load i32, ptr addrspace(1) %a0
  %a1 = getelementptr i32, ptr addrspace(1) %p, i32 1
  %h1 = load i32, ptr addrspace(1) %a1
  %a2 = getelementptr i32, ptr addrspace(1) %p, i32 2
  %h2 = load i32, ptr addrspace(1) %a2
  %a3 = getelementptr i32, ptr addrspace(1) %p, i32 3
  %h3 = load i32, ptr addrspace(1) %a3
  %a4 = getelementptr i32, ptr addrspace(1) %p, i32 4
  %h4 = load i32, ptr addrspace(1) %a4
  %a5 = getelementptr i32, ptr addrspace(1) %p, i32 5
  %h5 = load i32, ptr addrspace(1) %a5
  %a6 = getelementptr i32, ptr addrspace(1) %p, i32 6
  %h6 = load i32, ptr addrspace(1) %a6
  %a7 = getelementptr i32, ptr addrspace(1) %p, i32 7
  %h7 = load i32, ptr addrspace(1) %a7
  %a8 = getelementptr i32, ptr addrspace(1) %p, i32 8
  %h8 = load i32, ptr addrspace(1) %a8
  %a9 = getelementptr i32, ptr addrspace(1) %p, i32 9
  %h9 = load i32, ptr addrspace(1) %a9
  %a10 = getelementptr i32, ptr addrspace(1) %p, i32 10
  %h10 = load i32, ptr addrspace(1) %a10
  %a11 = getelementptr i32, ptr addrspace(1) %p, i32 11
  %h11 = load i32, ptr addrspace(1) %a11
  %a12 = getelementptr i32, ptr addrspace(1) %p, i32 12
  %h12 = load i32, ptr addrspace(1) %a12
  %a13 = getelementptr i32, ptr addrspace(1) %p, i32 13
  %h13 = load i32, ptr addrspace(1) %a13
  %a14 = getelementptr i32, ptr addrspace(1) %p, i32 14
  %h14 = load i32, ptr addrspace(1) %a14
  %a15 = getelementptr i32, ptr addrspace(1) %p, i32 15
  %h15 = load i32, ptr addrspace(1) %a15
  %b0 = getelementptr i32, ptr addrspace(1) %q, i32 0
  store i32 %h0, ptr addrspace(1) %b0
  %b1 = getelementptr i32, ptr addrspace(1) %q, i32 1
  store i32 %h1, ptr addrspace(1) %b1
  %b2 = getelementptr i32, ptr addrspace(1) %q, i32 2
  store i32 %h2, ptr addrspace(1) %b2
  %b3 = getelementptr i32, ptr addrspace(1) %q, i32 3
  store i32 %h3, ptr addrspace(1) %b3
  %b4 = getelementptr i32, ptr addrspace(1) %q, i32 4
  store i32 %h4, ptr addrspace(1) %b4
  %b5 = getelementptr i32, ptr addrspace(1) %q, i32 5
  store i32 %h5, ptr addrspace(1) %b5
  %b6 = getelementptr i32, ptr addrspace(1) %q, i32 6
  store i32 %h6, ptr addrspace(1) %b6
  %b7 = getelementptr i32, ptr addrspace(1) %q, i32 7
  store i32 %h7, ptr addrspace(1) %b7
  %b8 = getelementptr i32, ptr addrspace(1) %q, i32 8
  store i32 %h8, ptr addrspace(1) %b8
  %b9 = getelementptr i32, ptr addrspace(1) %q, i32 9
  store i32 %h9, ptr addrspace(1) %b9
  %b10 = getelementptr i32, ptr addrspace(1) %q, i32 10
  store i32 %h10, ptr addrspace(1) %b10
  %b11 = getelementptr i32, ptr addrspace(1) %q, i32 11
  store i32 %h11, ptr addrspace(1) %b11
  %b12 = getelementptr i32, ptr addrspace(1) %q, i32 12
  store i32 %h12, ptr addrspace(1) %b12
  %b13 = getelementptr i32, ptr addrspace(1) %q, i32 13
  store i32 %h13, ptr addrspace(1) %b13
  %b14 = getelementptr i32, ptr addrspace(1) %q, i32 14
  store i32 %h14, ptr addrspace(1) %b14
  %b15 = getelementptr i32, ptr addrspace(1) %q, i32 15
  store i32 %h15, ptr addrspace(1) %b15
  %c = getelementptr i32, ptr addrspace(1) %q, i32 16
  store i32 %v, ptr addrspace(1) %c
  ret void
}

; Not where a barrier or a store after it allows it to change, which may come
; round in a loop, and not where it is volatile.
; CANDIDATE-LABEL: candidates of barrier
; CANDIDATE-NOT:   recomputation
define ptx_kernel void @barrier(ptr addrspace(1) %p) "nvvm.reqntid"="128" {
  %v = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @table, i64 12)
  store i32 %v, ptr addrspace(1) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; CANDIDATE-LABEL: candidates of written
; CANDIDATE-NOT:   recomputation
define ptx_kernel void @written(ptr addrspace(1) %p) "nvvm.reqntid"="128" {
  %v = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @table, i64 12)
  store i32 1, ptr addrspace(3) @table
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; CANDIDATE-LABEL: candidates of loop
; CANDIDATE-NOT:   recomputation
define ptx_kernel void @loop(ptr addrspace(1) %p, i32 %n) "nvvm.reqntid"="128" {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  store i32 %i, ptr addrspace(3) @table
  %v = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @table, i64 12)
  store i32 %v, ptr addrspace(1) %p
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; CANDIDATE-LABEL: candidates of volatile
; CANDIDATE-NOT:   recomputation
define ptx_kernel void @volatile(ptr addrspace(1) %p) "nvvm.reqntid"="128" {
  %v = load volatile i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @table, i64 12)
  store i32 %v, ptr addrspace(1) %p
  ret void
}
