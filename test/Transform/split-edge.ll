; A store that only one way into a block needs goes on the edge: into a block
; of its own, since the edge is critical. Both ways give the reload one slot.
; RUN: %regdem-opt --mcpu=sm_90 --print=plan "-regdem-build=cap=16 demote=belady:12" %s | FileCheck %s --check-prefix=PLAN
; RUN: %mir "-regdem-build=cap=16 demote=belady:12" %s -o - | FileCheck %s
; PLAN: store [[V:%[0-9]+]] to slot [[S:[0-9]+]] in bb.{{[12]}}
; PLAN: reload [[V]] from slot [[S]] in bb.3
; PLAN: store [[V]] to slot [[S]] on edge bb.0 -> bb.3
target triple = "nvptx64-nvidia-cuda"

; CHECK:      bb.3.join:
; CHECK:      [[V:%[0-9]+]]:b32 = LD_i32 0, 0, 3, {{[0-9]+}}, 32, -1, [[BASE:%[0-9]+]], [[SLOT:[0-9]+]] ::
; CHECK:      bb.4.join:
; CHECK-NEXT: successors: %bb.3(
; CHECK:      ST_i32 [[V]], 0, 0, 3, 32, [[BASE]], [[SLOT]] ::
define ptx_kernel void @branch(ptr addrspace(1) %p, i32 %n) "nvvm.reqntid"="128" {
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
  %c = icmp eq i32 %n, 0
  br i1 %c, label %join, label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %k1 = add i32 %k, 1
  %x0 = load volatile i32, ptr addrspace(1) %a0
  %x1 = load volatile i32, ptr addrspace(1) %a1
  %x2 = load volatile i32, ptr addrspace(1) %a2
  %x3 = load volatile i32, ptr addrspace(1) %a3
  %x4 = load volatile i32, ptr addrspace(1) %a4
  %x5 = load volatile i32, ptr addrspace(1) %a5
  %x6 = load volatile i32, ptr addrspace(1) %a6
  %x7 = load volatile i32, ptr addrspace(1) %a7
  %x8 = load volatile i32, ptr addrspace(1) %a8
  %x9 = load volatile i32, ptr addrspace(1) %a9
  store volatile i32 %x0, ptr addrspace(1) %a0
  store volatile i32 %x1, ptr addrspace(1) %a1
  store volatile i32 %x2, ptr addrspace(1) %a2
  store volatile i32 %x3, ptr addrspace(1) %a3
  store volatile i32 %x4, ptr addrspace(1) %a4
  store volatile i32 %x5, ptr addrspace(1) %a5
  store volatile i32 %x6, ptr addrspace(1) %a6
  store volatile i32 %x7, ptr addrspace(1) %a7
  store volatile i32 %x8, ptr addrspace(1) %a8
  store volatile i32 %x9, ptr addrspace(1) %a9
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %join
join:
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
  ret void
}
