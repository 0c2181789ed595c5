; A value with several definitions, as PHI elimination leaves them, is stored
; after each one that a reload can see, to one and the same slot.
; RUN: %mir "-regdem-build=cap=16 demote=belady:12" %s -o %t.mir
; RUN: FileCheck %s --input-file=%t.mir
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem "-regdem-build=cap=16 demote=belady:12" -regdem-report=%t.jsonl %s -o %t.s
; RUN: %region %t.s %t.jsonl
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: name: sums
; CHECK:       bb.0
; CHECK:       ST_i32 [[V:%[0-9]+]], 0, 0, 3, 32, [[BASE:%[0-9]+]], [[SLOT:[0-9]+]] ::
; CHECK:       bb.1
; CHECK:       [[V]]:b32 = ADD32rr
; CHECK:       ST_i32 [[V]], 0, 0, 3, 32, [[BASE]], [[SLOT]] ::
; CHECK:       [[V]]:b32 = LD_i32 0, 0, 3, {{[0-9]+}}, 32, -1, [[BASE]], [[SLOT]] ::
define ptx_kernel void @sums(ptr addrspace(1) %p, i32 %n) "nvvm.reqntid"="128" {
entry:
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
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %s0 = phi i32 [ %v0, %entry ], [ %t0, %loop ]
  %s1 = phi i32 [ %v1, %entry ], [ %t1, %loop ]
  %s2 = phi i32 [ %v2, %entry ], [ %t2, %loop ]
  %s3 = phi i32 [ %v3, %entry ], [ %t3, %loop ]
  %s4 = phi i32 [ %v4, %entry ], [ %t4, %loop ]
  %s5 = phi i32 [ %v5, %entry ], [ %t5, %loop ]
  %s6 = phi i32 [ %v6, %entry ], [ %t6, %loop ]
  %s7 = phi i32 [ %v7, %entry ], [ %t7, %loop ]
  %s8 = phi i32 [ %v8, %entry ], [ %t8, %loop ]
  %s9 = phi i32 [ %v9, %entry ], [ %t9, %loop ]
  %s10 = phi i32 [ %v10, %entry ], [ %t10, %loop ]
  %s11 = phi i32 [ %v11, %entry ], [ %t11, %loop ]
  %s12 = phi i32 [ %v12, %entry ], [ %t12, %loop ]
  %s13 = phi i32 [ %v13, %entry ], [ %t13, %loop ]
  %s14 = phi i32 [ %v14, %entry ], [ %t14, %loop ]
  %s15 = phi i32 [ %v15, %entry ], [ %t15, %loop ]
  %s16 = phi i32 [ %v16, %entry ], [ %t16, %loop ]
  %s17 = phi i32 [ %v17, %entry ], [ %t17, %loop ]
  %s18 = phi i32 [ %v18, %entry ], [ %t18, %loop ]
  %s19 = phi i32 [ %v19, %entry ], [ %t19, %loop ]
  %x0 = load volatile i32, ptr addrspace(1) %a0
  %t0 = add i32 %s0, %x0
  %x1 = load volatile i32, ptr addrspace(1) %a1
  %t1 = add i32 %s1, %x1
  %x2 = load volatile i32, ptr addrspace(1) %a2
  %t2 = add i32 %s2, %x2
  %x3 = load volatile i32, ptr addrspace(1) %a3
  %t3 = add i32 %s3, %x3
  %x4 = load volatile i32, ptr addrspace(1) %a4
  %t4 = add i32 %s4, %x4
  %x5 = load volatile i32, ptr addrspace(1) %a5
  %t5 = add i32 %s5, %x5
  %x6 = load volatile i32, ptr addrspace(1) %a6
  %t6 = add i32 %s6, %x6
  %x7 = load volatile i32, ptr addrspace(1) %a7
  %t7 = add i32 %s7, %x7
  %x8 = load volatile i32, ptr addrspace(1) %a8
  %t8 = add i32 %s8, %x8
  %x9 = load volatile i32, ptr addrspace(1) %a9
  %t9 = add i32 %s9, %x9
  %x10 = load volatile i32, ptr addrspace(1) %a10
  %t10 = add i32 %s10, %x10
  %x11 = load volatile i32, ptr addrspace(1) %a11
  %t11 = add i32 %s11, %x11
  %x12 = load volatile i32, ptr addrspace(1) %a12
  %t12 = add i32 %s12, %x12
  %x13 = load volatile i32, ptr addrspace(1) %a13
  %t13 = add i32 %s13, %x13
  %x14 = load volatile i32, ptr addrspace(1) %a14
  %t14 = add i32 %s14, %x14
  %x15 = load volatile i32, ptr addrspace(1) %a15
  %t15 = add i32 %s15, %x15
  %x16 = load volatile i32, ptr addrspace(1) %a16
  %t16 = add i32 %s16, %x16
  %x17 = load volatile i32, ptr addrspace(1) %a17
  %t17 = add i32 %s17, %x17
  %x18 = load volatile i32, ptr addrspace(1) %a18
  %t18 = add i32 %s18, %x18
  %x19 = load volatile i32, ptr addrspace(1) %a19
  %t19 = add i32 %s19, %x19
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %done
done:
  store volatile i32 %t0, ptr addrspace(1) %a0
  store volatile i32 %t1, ptr addrspace(1) %a1
  store volatile i32 %t2, ptr addrspace(1) %a2
  store volatile i32 %t3, ptr addrspace(1) %a3
  store volatile i32 %t4, ptr addrspace(1) %a4
  store volatile i32 %t5, ptr addrspace(1) %a5
  store volatile i32 %t6, ptr addrspace(1) %a6
  store volatile i32 %t7, ptr addrspace(1) %a7
  store volatile i32 %t8, ptr addrspace(1) %a8
  store volatile i32 %t9, ptr addrspace(1) %a9
  store volatile i32 %t10, ptr addrspace(1) %a10
  store volatile i32 %t11, ptr addrspace(1) %a11
  store volatile i32 %t12, ptr addrspace(1) %a12
  store volatile i32 %t13, ptr addrspace(1) %a13
  store volatile i32 %t14, ptr addrspace(1) %a14
  store volatile i32 %t15, ptr addrspace(1) %a15
  store volatile i32 %t16, ptr addrspace(1) %a16
  store volatile i32 %t17, ptr addrspace(1) %a17
  store volatile i32 %t18, ptr addrspace(1) %a18
  store volatile i32 %t19, ptr addrspace(1) %a19
  ret void
}
