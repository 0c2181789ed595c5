; What only copies a parameter is read where that is, and large copies are made
; in pieces that LLVM copies in words.
; RUN: %opt -load-pass-plugin %plugin -mcpu=sm_90 -passes=regdem-lower-arrays,verify -S %s -o - | FileCheck %s
; RUN: %llc-regdem "-regdem-build=cap=64 rewrites=lower-arrays" %s -o %t.ptx
; RUN: %entry-text %t.ptx whole | FileCheck %s --check-prefix=WORDS
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%curve = type { float, [8 x float], [32 x float] }

; A parameter is copied in each iteration. Of the copy the scale is read where it
; is, and the two tables are selected from.
; CHECK-LABEL: @parameter(
; CHECK-NOT: alloca
; CHECK: load float, ptr %c
; CHECK: {{^}}loop:
; CHECK-NOT: alloca
; CHECK-COUNT-38: select
; CHECK-NOT: memcpy
; CHECK: ret void
define ptx_kernel void @parameter(ptr byval(%curve) align 4 %c, ptr %p, i32 %n) {
  %copy = alloca %curve, align 8
  %x = load float, ptr %c
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @llvm.lifetime.start.p0(ptr %copy)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %copy, ptr align 4 %c, i64 164, i1 false)
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %short = and i32 %thread, 7
  %long = and i32 %i, 31
  %table = getelementptr i8, ptr %copy, i64 36
  %at = getelementptr float, ptr %table, i32 %long
  %y = load float, ptr %at
  %table.short = getelementptr i8, ptr %copy, i64 4
  %at.short = getelementptr float, ptr %table.short, i32 %short
  %z = load float, ptr %at.short
  %scale = load float, ptr %copy, align 8
  %a = fadd float %y, %z
  %b = fadd float %a, %scale
  %d = fadd float %b, %x
  store float %d, ptr %p
  call void @llvm.lifetime.end.p0(ptr %copy)
  %next = add i32 %i, 1
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A parameter that is written to is a variable: what nobody reads of it is not
; kept, and what data index is selected from. One whose address is stored has
; the copy that code generation would make.
; CHECK-LABEL: @changed(
; CHECK: [[KEPT:%.*]] = alloca %curve, align 4
; CHECK-NOT: alloca
; CHECK: memcpy{{.*}}[[KEPT]], {{.*}}%kept,
; CHECK-NOT: store
; CHECK-COUNT-7: select
; CHECK: store float %{{.*}}, ptr %p
; CHECK-NEXT: store ptr [[KEPT]], ptr %p
; CHECK-NEXT: store float 0.000000e+00, ptr [[KEPT]]
; CHECK-NEXT: ret void
define ptx_kernel void @changed(ptr byval(%curve) align 4 %c, ptr byval(%curve) align 4 %kept, ptr %p, i32 %i) {
  %unread = getelementptr i8, ptr %c, i64 40
  store float 1.0, ptr %unread
  %short = and i32 %i, 7
  %table = getelementptr i8, ptr %c, i64 4
  %first = getelementptr i8, ptr %c, i64 8
  store float 2.0, ptr %first
  %at = getelementptr float, ptr %table, i32 %short
  %x = load float, ptr %at
  store float %x, ptr %p
  store ptr %kept, ptr %p
  store float 0.0, ptr %kept
  ret void
}

; What data index anywhere in is read where it was passed, as aligned as that is,
; by two copies of which one is of the other.
; CHECK-LABEL: @view(
; CHECK-NOT: alloca
; CHECK-NOT: memcpy
; CHECK: load i32, ptr %v, align 4
; CHECK: ret void
define ptx_kernel void @view(ptr byval({ i32, [25 x i32] }) align 4 %v, ptr %p, i32 %i) {
  %copy = alloca { i32, [25 x i32] }, align 8
  %again = alloca { i32, [25 x i32] }, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %copy, ptr align 4 %v, i64 104, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %again, ptr align 8 %copy, i64 104, i1 false)
  %x = load i32, ptr %copy, align 8
  %at = getelementptr inbounds i32, ptr %again, i32 %i
  %y = load i32, ptr %at, align 4
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %there = getelementptr inbounds i32, ptr %copy, i32 %thread
  %z = load i32, ptr %there, align 4
  %a = add i32 %x, %y
  %b = add i32 %a, %z
  store i32 %b, ptr %p
  ret void
}

; What may be out of bounds is read from other memory.
; CHECK-LABEL: @outside(
; CHECK: alloca
; CHECK: ret void
define ptx_kernel void @outside(ptr byval([25 x i32]) align 4 %v, ptr %p, i32 %i) {
  %copy = alloca [25 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %copy, ptr align 4 %v, i64 100, i1 false)
  %at = getelementptr i32, ptr %copy, i32 %i
  %x = load i32, ptr %at, align 4
  store i32 %x, ptr %p
  ret void
}

; A parameter that is written is not what was copied.
; CHECK-LABEL: @written(
; CHECK: alloca
; CHECK: ret void
define ptx_kernel void @written(ptr byval({ i32, [25 x i32] }) align 4 %v, ptr %p, i32 %i) {
  %copy = alloca { i32, [25 x i32] }, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %copy, ptr align 4 %v, i64 104, i1 false)
  store i32 %i, ptr %v
  %at = getelementptr inbounds i32, ptr %copy, i32 %i
  %x = load i32, ptr %at, align 4
  store i32 %x, ptr %p
  ret void
}

; What is copied out as a whole is needed as a whole.
; CHECK-LABEL: @out(
; CHECK-NOT: alloca
; CHECK-DAG: store i32 %{{.*}}, ptr %p
; CHECK-DAG: getelementptr {{.*}}ptr %p, i64 16
; CHECK: ret void
define ptx_kernel void @out(ptr %p, ptr %q, i32 %i) {
  %a = alloca [8 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %q, i64 32, i1 false)
  %low = and i32 %i, 3
  %to = getelementptr i32, ptr %a, i32 %low
  store i32 7, ptr %to
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 4 %a, i64 32, i1 false)
  ret void
}

; Large copies of memory that others see, too. The 196 bytes are four pieces.
; CHECK-LABEL: @whole(
; CHECK-COUNT-3: call void @llvm.memcpy.p0.p0.i64({{.*}}, i64 64, i1 false)
; CHECK: load i32, ptr
; CHECK: store i32
; CHECK: {{^}}[[LOOP:.*]]:
; CHECK: call void @llvm.memset.p0.i64({{.*}}, i64 64, i1 false)
; CHECK: br i1 {{.*}}label
; CHECK: store i64 217020518514230019, ptr
; CHECK: call void @llvm.memmove.p0.p0.i64({{.*}}, i64 196, i1 false)
; CHECK: call void @llvm.memcpy.p0.p0.i64({{.*}}, i64 196, i1 true)
; CHECK: ret void
; WORDS-COUNT-49: st{{.*}}b32
define ptx_kernel void @whole(ptr %p, ptr %q, ptr %r) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 196, i1 false)
  call void @llvm.memset.p0.i64(ptr align 8 %r, i8 3, i64 2056, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr align 4 %r, ptr align 4 %q, i64 196, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %r, ptr align 4 %q, i64 196, i1 true)
  ret void
}
