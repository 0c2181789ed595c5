; A value that a loop uses all the time stays in its register; values that only
; live across the loop are demoted around it, not inside.
; RUN: %mir "-regdem-build=cap=16 demote=belady:12" %s -o - | FileCheck %s
; CHECK:     bb.1.loop:
; CHECK-NOT: addrspace 3)
; CHECK:     CBranch
; CHECK:     LD_i32 0, 0, 3,
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @hot(ptr addrspace(1) %p, i32 %n) "nvvm.reqntid"="128" {
entry:
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
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %s0 = phi i32 [ %v0, %entry ], [ %t0, %loop ]
  %s1 = phi i32 [ %v1, %entry ], [ %t1, %loop ]
  %s2 = phi i32 [ %v2, %entry ], [ %t2, %loop ]
  %s3 = phi i32 [ %v3, %entry ], [ %t3, %loop ]
  %s4 = phi i32 [ %v4, %entry ], [ %t4, %loop ]
  %s5 = phi i32 [ %v5, %entry ], [ %t5, %loop ]
  %x0 = load volatile i32, ptr addrspace(1) %p
  %t0 = add i32 %s0, %x0
  %x1 = load volatile i32, ptr addrspace(1) %p
  %t1 = add i32 %s1, %x1
  %x2 = load volatile i32, ptr addrspace(1) %p
  %t2 = add i32 %s2, %x2
  %x3 = load volatile i32, ptr addrspace(1) %p
  %t3 = add i32 %s3, %x3
  %x4 = load volatile i32, ptr addrspace(1) %p
  %t4 = add i32 %s4, %x4
  %x5 = load volatile i32, ptr addrspace(1) %p
  %t5 = add i32 %s5, %x5
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %done
done:
  store volatile i32 %t0, ptr addrspace(1) %p
  store volatile i32 %t1, ptr addrspace(1) %p
  store volatile i32 %t2, ptr addrspace(1) %p
  store volatile i32 %t3, ptr addrspace(1) %p
  store volatile i32 %t4, ptr addrspace(1) %p
  store volatile i32 %t5, ptr addrspace(1) %p
  store volatile i32 %v6, ptr addrspace(1) %p
  store volatile i32 %v7, ptr addrspace(1) %p
  store volatile i32 %v8, ptr addrspace(1) %p
  store volatile i32 %v9, ptr addrspace(1) %p
  store volatile i32 %v10, ptr addrspace(1) %p
  store volatile i32 %v11, ptr addrspace(1) %p
  store volatile i32 %v12, ptr addrspace(1) %p
  store volatile i32 %v13, ptr addrspace(1) %p
  store volatile i32 %v14, ptr addrspace(1) %p
  store volatile i32 %v15, ptr addrspace(1) %p
  ret void
}
