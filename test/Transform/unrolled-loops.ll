; Where loops are not to stay rolled, an innermost loop does four iterations at
; once, and another one after it those that are left over.
; RUN: sed -e 's/WITHOUT/"regdem-settled"="{\\22recipe\\22:\\22rewrites=unroll-loops\\22}"/' %s > %t.unrolled.ll
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %t.unrolled.ll -o - | FileCheck %s
; RUN: %llc-regdem -regdem-mode=off %t.unrolled.ll -o - | FileCheck %s --check-prefix=OFF

; Where other products may be fused, products are no obstacle; what may be
; reordered stays.
; RUN: %llc-regdem -regdem-ptxas=off -regdem-fp=relaxed -verify-machineinstrs %t.unrolled.ll -o - | FileCheck %s --check-prefix=RELAXED
; RELAXED-LABEL:   .entry summed_later
; RELAXED-COUNT-5: ld.global{{(.nc)?}}.b32
; RELAXED-LABEL:   .entry reordered
; RELAXED-COUNT-1: ld.global{{(.nc)?}}.b32
; RELAXED-NOT:     ld.global
; RELAXED-LABEL:   .entry short
; RELAXED-LABEL:   .entry tests_count
; RELAXED-COUNT-5: ld.global{{(.nc)?}}.b32

target triple = "nvptx64-nvidia-cuda"

; Where the kernel says how it rounds, products are no obstacle.
; CHECK-LABEL: .entry filter
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK-COUNT-4: ld.global{{(.nc)?}}.b32
; CHECK:         bra {{.*}}[[MAIN]];
; CHECK:         {{^}}[[REST:\$L__BB[0-9_]+]]: // %loop.epil{{$}}
; CHECK-COUNT-1: ld.global{{(.nc)?}}.b32
; CHECK-NOT:     ld.global
; CHECK:         bra {{.*}}[[REST]];
; CHECK:         ret;
; OFF-LABEL: .entry filter
; OFF-COUNT-1: ld.global{{(.nc)?}}.b32
; OFF-NOT:     ld.global
; OFF:         ret;
define ptx_kernel void @filter(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n, float %a) #0 "regdem-roundings"="sums:." {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %before = phi float [ 1.0, %entry ], [ %x, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %x = fmul contract float %v, 3.0
  %q = fmul contract float %before, %a
  %r = fdiv contract float %q, %x
  %sum = fadd contract float %y, %r
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; It does not say whether the product of one iteration is fused with the sum of
; the next.
; CHECK-LABEL: .entry summed_later
; CHECK-COUNT-1: ld.global{{(.nc)?}}.b32
; CHECK-NOT:     ld.global
; CHECK:         ret;
define ptx_kernel void @summed_later(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n, float %a) #0 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %product = phi float [ 0.0, %entry ], [ %negated, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %x = fmul contract float %v, %a
  %negated = fneg contract float %x
  %sum = fadd contract float %y, %product
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; A product is fused with its sum though it has other readers, in this iteration
; and the next.
; CHECK-LABEL: .entry summed_here_and_later
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK-COUNT-4: fma.rn.f32
; CHECK-NOT:     fma
; CHECK:         bra {{.*}}[[MAIN]];
; CHECK:         ret;
define ptx_kernel void @summed_here_and_later(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n, float %a) #0 "regdem-roundings"="sums:f." {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %before = phi float [ 1.0, %entry ], [ %x, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %x = fmul contract float %v, %a
  %r = fdiv contract float %x, %before
  %s = fadd contract float %x, %r
  %sum = fadd contract float %y, %s
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; With -ffast-math, sums of several iterations may be put together.
; CHECK-LABEL: .entry reordered
; CHECK-COUNT-1: ld.global{{(.nc)?}}.b32
; CHECK-NOT:     ld.global
; CHECK:         ret;
define ptx_kernel void @reordered(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n) #0 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %sum = fadd reassoc contract float %y, %v
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; Of six iterations two would be left over.
; CHECK-LABEL: .entry short
; CHECK-COUNT-1: ld.global{{(.nc)?}}.b32
; CHECK-NOT:     ld.global
; CHECK:         ret;
define ptx_kernel void @short(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) #0 {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %sum = fadd contract float %y, %v
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, 6
  br i1 %more, label %loop, label %exit

exit:
  store float %sum, ptr addrspace(1) %out
  ret void
}

; #pragma unroll 1
; CHECK-LABEL: .entry kept_by_source
; CHECK-COUNT-1: ld.global{{(.nc)?}}.b32
; CHECK-NOT:     ld.global
; CHECK:         ret;
define ptx_kernel void @kept_by_source(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n) #0 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %sum = fadd contract float %y, %v
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; Iterations of threads that meet at a barrier are not parted.
; CHECK-LABEL: .entry meets
; CHECK-COUNT-1: ld.global
; CHECK-NOT:     ld.global
; CHECK:         ret;
define ptx_kernel void @meets(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n) #0 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %sum = fadd contract float %y, %v
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; What an iteration stores the next one may load, and add to: the product is
; rounded.
; CHECK-LABEL: .entry through_memory
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK-COUNT-4: mul.rn.f32
; CHECK:         bra {{.*}}[[MAIN]];
; CHECK:         ret;
define ptx_kernel void @through_memory(ptr addrspace(1) %out, i32 %n, float %a, float %b) #0 "regdem-roundings"="sums:." {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %out, i64 %at
  %v = load float, ptr addrspace(1) %p
  %sum = fadd contract float %v, %a
  %x = fmul contract float %sum, %b
  %q = getelementptr inbounds float, ptr addrspace(1) %p, i64 1
  store float %x, ptr addrspace(1) %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; So is one of halves, whatever becomes of its word.
; CHECK-LABEL: .entry through_words
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK-COUNT-4: mul.rn.f16
; CHECK:         bra {{.*}}[[MAIN]];
; CHECK:         ret;
define ptx_kernel void @through_words(ptr addrspace(1) %out, i32 %n, half %a, half %b) #0 "regdem-roundings"="sums:." {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %at
  %word = load i32, ptr addrspace(1) %p
  %low = trunc i32 %word to i16
  %v = bitcast i16 %low to half
  %sum = fadd contract half %v, %a
  %x = fmul contract half %sum, %b
  %bits = bitcast half %x to i16
  %wide = zext i16 %bits to i32
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i64 1
  store i32 %wide, ptr addrspace(1) %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; Of four iterations, which of them adds is known, so that the product and the
; sum would come together; nobody says whether they are fused.
; CHECK-LABEL: .entry tests_count
; CHECK-COUNT-1: ld.global{{(.nc)?}}.b32
; CHECK-NOT:     ld.global
; CHECK:         ret;
define ptx_kernel void @tests_count(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n, float %a) #0 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %x = fmul contract float %v, %a
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %at
  store float %x, ptr addrspace(1) %q
  %phase = and i32 %i, 3
  %adds = icmp eq i32 %phase, 3
  br i1 %adds, label %then, label %latch

then:
  %sum = fadd contract float %x, 1.0
  %q1 = getelementptr inbounds float, ptr addrspace(1) %q, i64 1024
  store float %sum, ptr addrspace(1) %q1
  br label %latch

latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; A square of this iteration is also one of the next.
; CHECK-LABEL: .entry common
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK-COUNT-8: fma.rn.f32
; CHECK-NOT:     {{mul|fma}}
; CHECK:         bra {{.*}}[[MAIN]];
; CHECK:         ret;
define ptx_kernel void @common(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n, float %a) #0 "regdem-roundings"="sums:ss" {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %before = phi float [ 1.0, %entry ], [ %v, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %now = fmul contract float %v, %v
  %old = fmul contract float %before, %before
  %s = fadd contract float %y, %now
  %t = fdiv contract float %a, %s
  %sum = fadd contract float %t, %old
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

attributes #0 = { "nvvm.maxntid"="128" WITHOUT }
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
