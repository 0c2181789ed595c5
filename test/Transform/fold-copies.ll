; A list that is kept sorted in registers, as @nearest does, gets a copy for each
; of its places at the end of the block, since the old value is read once more
; after the new one is computed. Without copies the new one comes after that.
; RUN: sed -e 's/"regdem-settled"="{}"/"regdem-settled"="{}" "regdem-rewrites"="fold-copies"/' %s > %t.folded.ll
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %t.folded.ll -o - | FileCheck %s --check-prefix=FOLDED
; RUN: %llc-regdem -regdem-ptxas=off %s -o - | FileCheck %s --check-prefix=COPIED
; RUN: %llc -mcpu=sm_90 -mattr=+ptx88 %s -o %t.stock.s
; RUN: %llc-regdem -regdem-mode=off %t.folded.ll -o %t.off.s
; RUN: cmp %t.stock.s %t.off.s
; RUN: %llc-regdem -regdem-ptxas=off -regdem-verify=false %t.folded.ll -o %t.unchecked.s
; RUN: %llc-regdem -regdem-ptxas=off %t.folded.ll -o %t.checked.s
; RUN: cmp %t.unchecked.s %t.checked.s

; A trial of a kernel that has them tells that there are some to fold.
; RUN: sed -e 's/"regdem-settled"="{}"/"regdem-trial"/' %s > %t.trial.ll
; RUN: %llc-regdem -regdem-ptxas=off -stop-after=regdem %t.trial.ll -o - | FileCheck %s --check-prefix=TRIAL
; TRIAL: define {{.*}} @nearest({{.*}} [[FOUND:#[0-9]+]]
; TRIAL: define {{.*}} @swap({{.*}} [[NONE:#[0-9]+]]
; TRIAL: attributes [[FOUND]] = {{.*}}"regdem-changed-by-fold-copies"
; TRIAL-NOT: "regdem-changed-by-fold-copies"

; FOLDED-LABEL: .entry nearest(
; FOLDED:      setp.lt.f32
; FOLDED-NEXT: selp.f32 [[CARRY:%r[0-9]+]], [[FIRST:%r[0-9]+]], [[NEW:%r[0-9]+]], [[P:%p[0-9]+]];
; FOLDED-NEXT: selp.f32 [[FIRST]], [[NEW]], [[FIRST]], [[P]];
; FOLDED-NOT:  mov
; FOLDED:      $L__BB0_{{[0-9]+}}:

; COPIED-LABEL:   .entry nearest(
; COPIED:         setp.lt.f32
; COPIED-NEXT:    selp.f32 %r{{[0-9]+}}, [[NEW:%r[0-9]+]], [[FIRST:%r[0-9]+]], [[P:%p[0-9]+]];
; COPIED-NEXT:    selp.f32 %r{{[0-9]+}}, [[FIRST]], [[NEW]], [[P]];
; COPIED-COUNT-4: mov.b32

; Each of two values that are exchanged is wanted by the other.
; FOLDED-LABEL: .entry swap(
; FOLDED: min.s32 [[LEAST:%r[0-9]+]], [[A:%r[0-9]+]], [[B:%r[0-9]+]];
; FOLDED: max.s32 [[B]], [[A]], [[B]];
; FOLDED: mov.b32 [[A]], [[LEAST]];

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @nearest(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %count) #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %n0 = phi float [ 0x7FF0000000000000, %entry ], [ %m0, %latch ]
  %n1 = phi float [ 0x7FF0000000000000, %entry ], [ %m1, %latch ]
  %n2 = phi float [ 0x7FF0000000000000, %entry ], [ %m2, %latch ]
  %n3 = phi float [ 0x7FF0000000000000, %entry ], [ %m3, %latch ]
  %n4 = phi float [ 0x7FF0000000000000, %entry ], [ %m4, %latch ]
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i32 %i
  %d = load volatile float, ptr addrspace(1) %p
  %near = fcmp olt float %d, %n4
  br i1 %near, label %insert, label %latch
insert:
  %c0 = fcmp olt float %d, %n0
  %s0 = select i1 %c0, float %d, float %n0
  %d1 = select i1 %c0, float %n0, float %d
  %c1 = fcmp olt float %d1, %n1
  %s1 = select i1 %c1, float %d1, float %n1
  %d2 = select i1 %c1, float %n1, float %d1
  %c2 = fcmp olt float %d2, %n2
  %s2 = select i1 %c2, float %d2, float %n2
  %d3 = select i1 %c2, float %n2, float %d2
  %c3 = fcmp olt float %d3, %n3
  %s3 = select i1 %c3, float %d3, float %n3
  %d4 = select i1 %c3, float %n3, float %d3
  %c4 = fcmp olt float %d4, %n4
  %s4 = select i1 %c4, float %d4, float %n4
  br label %latch
latch:
  %m0 = phi float [ %n0, %loop ], [ %s0, %insert ]
  %m1 = phi float [ %n1, %loop ], [ %s1, %insert ]
  %m2 = phi float [ %n2, %loop ], [ %s2, %insert ]
  %m3 = phi float [ %n3, %loop ], [ %s3, %insert ]
  %m4 = phi float [ %n4, %loop ], [ %s4, %insert ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %count
  br i1 %more, label %loop, label %end
end:
  store float %m0, ptr addrspace(1) %out
  %p1 = getelementptr inbounds float, ptr addrspace(1) %out, i64 1
  store float %m1, ptr addrspace(1) %p1
  %p2 = getelementptr inbounds float, ptr addrspace(1) %out, i64 2
  store float %m2, ptr addrspace(1) %p2
  %p3 = getelementptr inbounds float, ptr addrspace(1) %out, i64 3
  store float %m3, ptr addrspace(1) %p3
  %p4 = getelementptr inbounds float, ptr addrspace(1) %out, i64 4
  store float %m4, ptr addrspace(1) %p4
  ret void
}

define ptx_kernel void @swap(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %count) #0 {
entry:
  %first = load volatile i32, ptr addrspace(1) %in
  %second = load volatile i32, ptr addrspace(1) %in
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %a = phi i32 [ %first, %entry ], [ %c, %latch ]
  %b = phi i32 [ %second, %entry ], [ %d, %latch ]
  %v = load volatile i32, ptr addrspace(1) %in
  %swap = icmp slt i32 %v, %a
  br i1 %swap, label %exchange, label %latch
exchange:
  %least = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %most = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  br label %latch
latch:
  %c = phi i32 [ %a, %loop ], [ %least, %exchange ]
  %d = phi i32 [ %b, %loop ], [ %most, %exchange ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %count
  br i1 %more, label %loop, label %end
end:
  store i32 %c, ptr addrspace(1) %out
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 1
  store i32 %d, ptr addrspace(1) %p
  ret void
}

declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)

attributes #0 = { "nvvm.reqntid"="128" "nvvm.maxnreg"="64" "regdem-settled"="{}" }
