; Values live across an indexed branch (brx.idx), whose edges cannot be split,
; are demoted around it. (Builds from IR that may spill have no such branch.)
; RUN: rm -f %t.jsonl
; RUN: %regdem-opt --mcpu=sm_90 --mattr=+ptx88 --emit=mir --stop=before -regdem-mode=off %s -o %t.mir
; RUN: %regdem-opt "-regdem-build=cap=16 demote=belady:12" -regdem-report=%t.jsonl %t.mir -o %t.s
; RUN: FileCheck %s --input-file=%t.s
; RUN: %region %t.s %t.jsonl
; CHECK: st.shared
; CHECK: brx.idx
; CHECK: ld.shared
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @choose(ptr addrspace(1) %p, i32 %n) "nvvm.reqntid"="128" {
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
  switch i32 %n, label %done [i32 0, label %case0 i32 1, label %case1 i32 2, label %case2 i32 3, label %case3 i32 4, label %case4 i32 5, label %case5 i32 6, label %case6 i32 7, label %case7]
case0:
  %x0 = load volatile i32, ptr addrspace(1) %a0
  %y0 = mul i32 %x0, 3
  br label %done
case1:
  %x1 = load volatile i32, ptr addrspace(1) %a1
  %y1 = mul i32 %x1, 5
  br label %done
case2:
  %x2 = load volatile i32, ptr addrspace(1) %a2
  %y2 = mul i32 %x2, 7
  br label %done
case3:
  %x3 = load volatile i32, ptr addrspace(1) %a3
  %y3 = mul i32 %x3, 9
  br label %done
case4:
  %x4 = load volatile i32, ptr addrspace(1) %a4
  %y4 = mul i32 %x4, 11
  br label %done
case5:
  %x5 = load volatile i32, ptr addrspace(1) %a5
  %y5 = mul i32 %x5, 13
  br label %done
case6:
  %x6 = load volatile i32, ptr addrspace(1) %a6
  %y6 = mul i32 %x6, 15
  br label %done
case7:
  %x7 = load volatile i32, ptr addrspace(1) %a7
  %y7 = mul i32 %x7, 17
  br label %done
done:
  %r = phi i32 [ 0, %entry ], [ %y0, %case0 ], [ %y1, %case1 ], [ %y2, %case2 ], [ %y3, %case3 ], [ %y4, %case4 ], [ %y5, %case5 ], [ %y6, %case6 ], [ %y7, %case7 ]
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
