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

; clang has done four of 15 iterations at once, so that the exit is not at the
; end: all are done then.
; CHECK-LABEL:    .entry begun
; CHECK-COUNT-15: ld.global{{(.nc)?}}.b32
; CHECK-NOT:      ld.global
; CHECK-NOT:      bra
; CHECK:          ret;
define ptx_kernel void @begun(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) #0 {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %last ]
  %x = phi i32 [ 0, %entry ], [ %s3, %last ]
  %at = sext i32 %i to i64
  %p0 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %at
  %v0 = load i32, ptr addrspace(1) %p0
  %s0 = xor i32 %x, %v0
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 4
  %v1 = load i32, ptr addrspace(1) %p1
  %s1 = xor i32 %s0, %v1
  %p2 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 8
  %v2 = load i32, ptr addrspace(1) %p2
  %s2 = xor i32 %s1, %v2
  %done = icmp eq i32 %i, 12
  br i1 %done, label %exit, label %last

last:
  %p3 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 12
  %v3 = load i32, ptr addrspace(1) %p3
  %s3 = xor i32 %s2, %v3
  %next = add nuw nsw i32 %i, 4
  br label %loop

exit:
  store i32 %s2, ptr addrspace(1) %out
  ret void
}

; The branch keeps ptxas from unrolling this loop: all 24 iterations are done.
; CHECK-LABEL:    .entry branches
; CHECK-COUNT-24: ld.global{{(.nc)?}}.b32
; CHECK-NOT:      ld.global
; CHECK:          ret;
define ptx_kernel void @branches(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %bits) #0 {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = phi i32 [ 0, %entry ], [ %y, %latch ]
  %bit = shl nuw i32 1, %i
  %set = and i32 %bits, %bit
  %is = icmp ne i32 %set, 0
  br i1 %is, label %reads, label %latch

reads:
  %at = zext nneg i32 %i to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %at
  %v = load i32, ptr addrspace(1) %p
  %s = xor i32 %x, %v
  br label %latch

latch:
  %y = phi i32 [ %x, %loop ], [ %s, %reads ]
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, 24
  br i1 %done, label %exit, label %loop

exit:
  store i32 %y, ptr addrspace(1) %out
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

; Where all threads make as many iterations, a loop of its own does those that
; are left over, barriers or not.
; CHECK-LABEL: .entry meets
; CHECK:         {{^}}[[REST:\$L__BB[0-9_]+]]: // %loop.prol{{$}}
; CHECK-COUNT-1: bar.sync
; CHECK-NOT:     bar.sync
; CHECK:         bra {{.*}}[[REST]];
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK-COUNT-4: bar.sync
; CHECK-NOT:     bar.sync
; CHECK:         bra {{.*}}[[MAIN]];
; CHECK:         ret;
define ptx_kernel void @meets(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n) #0 {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %of = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %part = sdiv i32 %n, %of
  %first = mul i32 %block, %part
  %end = add nsw i32 %first, %part
  %any = icmp slt i32 %first, %end
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %sum = fadd contract float %y, %v
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; Others are not parted: each asks whether it is the last.
; CHECK-LABEL: .entry leaves_one_by_one
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK:         bar.sync
; CHECK-NOT:     bar.sync
; CHECK:         bra {{.*}}[[EXIT:\$L__BB[0-9_]+]];
; CHECK:         bar.sync
; CHECK-NOT:     bar.sync
; CHECK:         bra {{.*}}[[EXIT]];
; CHECK:         bar.sync
; CHECK-NOT:     bar.sync
; CHECK:         bra {{.*}}[[EXIT]];
; CHECK:         bar.sync
; CHECK-NOT:     bar.sync
; CHECK:         bra {{.*}}[[MAIN]];
; CHECK:         ret;
define ptx_kernel void @leaves_one_by_one(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n) #0 {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = add nsw i32 %n, %thread
  %any = icmp sgt i32 %own, 0
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
  %more = icmp slt i32 %next, %own
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; Of a few iterations with barriers no loop is left, and of more as many are done
; at once as the source asks for.
; CHECK-LABEL: .entry meets_six_times
; CHECK-COUNT-6: bar.sync
; CHECK-NOT:     bar.sync
; CHECK-NOT:     bra
; CHECK:         ret;
define ptx_kernel void @meets_six_times(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) #0 {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %sum = fadd contract float %y, %v
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, 6
  br i1 %more, label %loop, label %exit

exit:
  store float %sum, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry asks_for_nine
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK-COUNT-9: bar.sync
; CHECK-NOT:     bar.sync
; CHECK:         bra {{.*}}[[MAIN]];
; CHECK:         ret;
define ptx_kernel void @asks_for_nine(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n) #0 {
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
  br i1 %more, label %loop, label %exit, !llvm.loop !2

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; A texture is read by inline assembly, which clang has take part in what
; threads do together; this does not.
; CHECK-LABEL: .entry reads_texture
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK-COUNT-4: tex.1d
; CHECK:         bra {{.*}}[[MAIN]];
; CHECK:         {{^}}[[REST:\$L__BB[0-9_]+]]: // %loop.epil{{$}}
; CHECK-COUNT-1: tex.1d
; CHECK-NOT:     tex.1d
; CHECK:         bra {{.*}}[[REST]];
; CHECK:         ret;
define ptx_kernel void @reads_texture(i64 %texture, ptr addrspace(1) noalias %out, i32 %n) #0 "regdem-roundings"="sums:." {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %all = call { float, float, float, float } asm "tex.1d.v4.f32.s32 {$0, $1, $2, $3}, [$4, {$5}];", "=f,=f,=f,=f,l,r"(i64 %texture, i32 %i) #1
  %v = extractvalue { float, float, float, float } %all, 0
  %sum = fadd contract float %y, %v
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; With another instruction it might.
; CHECK-LABEL: .entry reads_texture_and_votes
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK-COUNT-4: tex.1d
; CHECK-NOT:     tex.1d
; CHECK:         ret;
define ptx_kernel void @reads_texture_and_votes(i64 %texture, ptr addrspace(1) noalias %out, i32 %n) #0 "regdem-roundings"="sums:." {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = add nsw i32 %n, %thread
  %any = icmp sgt i32 %own, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %all = call { float, float, float, float, i32 } asm "tex.1d.v4.f32.s32 {$0, $1, $2, $3}, [$5, {$6}]; activemask.b32 $4;", "=f,=f,=f,=f,=r,l,r"(i64 %texture, i32 %i) #1
  %v = extractvalue { float, float, float, float, i32 } %all, 0
  %sum = fadd contract float %y, %v
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %own
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; Steps by the threads of a block, up to the end of the block's part: how many
; these are takes a few instructions to find out, once.
; CHECK-LABEL: .entry of_block
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK-COUNT-4: ld.global{{(.nc)?}}.b32
; CHECK:         bra {{.*}}[[MAIN]];
; CHECK:         ret;
define ptx_kernel void @of_block(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n, i32 %region) #0 {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %first = mul i32 %region, %block
  %after = add nsw i32 %blocks, -1
  %islast = icmp eq i32 %block, %after
  %end = add nsw i32 %first, %region
  %stop = select i1 %islast, i32 %n, i32 %end
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = add nsw i32 %first, %thread
  %any = icmp slt i32 %begin, %stop
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ %begin, %entry ], [ %next, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %sum = fadd contract float %y, %v
  %next = add nsw i32 %i, 256
  %more = icmp slt i32 %next, %stop
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; What waits for nothing stays rolled.
; CHECK-LABEL: .entry computes
; CHECK-COUNT-1: mad.lo.s32
; CHECK-NOT:     mad.lo.s32
; CHECK:         ret;
define ptx_kernel void @computes(ptr addrspace(1) noalias %out, i32 %n, i32 %a) #0 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %y = phi i32 [ %a, %entry ], [ %sum, %loop ]
  %x = mul i32 %y, %y
  %sum = add i32 %x, %a
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi i32 [ 0, %entry ], [ %sum, %loop ]
  store i32 %last, ptr addrspace(1) %out
  ret void
}

; What clang, or the source, has done several times is not done more often: it
; steps by four, up to a multiple of four.
; CHECK-LABEL: .entry unrolled_before
; CHECK-COUNT-1: ld.global{{(.nc)?}}.b32
; CHECK-NOT:     ld.global
; CHECK:         ret;
define ptx_kernel void @unrolled_before(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n) #0 {
entry:
  %any = icmp ugt i32 %n, 3
  %times = and i32 %n, -4
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %y = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = zext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %sum = fadd contract float %y, %v
  %next = add nuw i32 %i, 4
  %more = icmp ne i32 %next, %times
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

; A kernel whose loops would make too much code keeps them all.
; CHECK-LABEL: .entry grows_too_much
; CHECK-COUNT-3: bar.sync
; CHECK-NOT:     bar.sync
; CHECK:         ret;
define ptx_kernel void @grows_too_much(ptr addrspace(1) noalias %out) #0 {
entry:
  br label %loop1

loop1:
  %i1 = phi i32 [ 0, %entry ], [ %next1, %loop1 ]
  %p1 = getelementptr i32, ptr addrspace(1) %out, i32 %i1
  %v1 = load volatile i32, ptr addrspace(1) %p1
  %w1 = mul i32 %v1, %i1
  %x1 = xor i32 %w1, %v1
  %y1 = add i32 %x1, 7
  store volatile i32 %y1, ptr addrspace(1) %p1
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next1 = add nuw nsw i32 %i1, 1
  %more1 = icmp slt i32 %next1, 100
  br i1 %more1, label %loop1, label %loop2

loop2:
  %i2 = phi i32 [ 0, %loop1 ], [ %next2, %loop2 ]
  %p2 = getelementptr i32, ptr addrspace(1) %out, i32 %i2
  %v2 = load volatile i32, ptr addrspace(1) %p2
  %w2 = mul i32 %v2, %i2
  %x2 = xor i32 %w2, %v2
  %y2 = add i32 %x2, 7
  store volatile i32 %y2, ptr addrspace(1) %p2
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next2 = add nuw nsw i32 %i2, 1
  %more2 = icmp slt i32 %next2, 100
  br i1 %more2, label %loop2, label %loop3

loop3:
  %i3 = phi i32 [ 0, %loop2 ], [ %next3, %loop3 ]
  %p3 = getelementptr i32, ptr addrspace(1) %out, i32 %i3
  %v3 = load volatile i32, ptr addrspace(1) %p3
  %w3 = mul i32 %v3, %i3
  %x3 = xor i32 %w3, %v3
  %y3 = add i32 %x3, 7
  store volatile i32 %y3, ptr addrspace(1) %p3
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next3 = add nuw nsw i32 %i3, 1
  %more3 = icmp slt i32 %next3, 100
  br i1 %more3, label %loop3, label %exit

exit:
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

; A counter that wraps is counted by no sum of it that does not: each iteration
; looks whether it is the last.
; CHECK-LABEL: .entry wraps
; CHECK:         {{^}}[[MAIN:\$L__BB[0-9_]+]]: // %loop{{$}}
; CHECK-COUNT-3: @{{.*}} bra
; CHECK:         bra {{.*}}[[MAIN]];
; CHECK:         ret;
define ptx_kernel void @wraps(ptr addrspace(1) %out, i32 %s, i32 %n) #0 {
entry:
  %s5 = add nsw i32 %s, -5
  %any = icmp slt i32 %s5, %n
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ %s, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store volatile i32 %i, ptr addrspace(1) %out
  %next = add i32 %i, 1744830465
  %next5 = add nsw i32 %next, -5
  %more = icmp slt i32 %next5, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "nvvm.maxntid"="128" WITHOUT }
attributes #1 = { convergent nounwind memory(none) }
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.count", i32 9}
