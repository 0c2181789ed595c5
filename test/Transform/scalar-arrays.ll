; Registers stand for arrays where each access is known to be in bounds and no
; rounding changes.
; RUN: %opt -load-pass-plugin %plugin -mcpu=sm_90 -passes=regdem-lower-arrays,verify -S %s -o - | FileCheck %s
; RUN: %llc-regdem "-regdem-build=cap=64 rewrites=lower-arrays" -pass-remarks-missed=regdem %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=REMARK
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Data selects among four elements by the bits of the index.
; CHECK-LABEL: @data(
; CHECK-NOT: alloca
; CHECK-COUNT-4: select
; CHECK-NOT: alloca
; CHECK: ret void
define ptx_kernel void @data(ptr %p, i32 %i) {
  %a = alloca [4 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 16, i1 false)
  %low = and i32 %i, 3
  %to = getelementptr i32, ptr %a, i32 %low
  store i32 7, ptr %to
  %more = lshr i32 %i, 30
  %from = getelementptr i32, ptr %a, i32 %more
  %x = load i32, ptr %from
  store i32 %x, ptr %p
  ret void
}

; Only what the index can name is chosen from: eight elements of 72, whose rows
; have nine each.
; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK-NOT: alloca
; CHECK-COUNT-7: select i1
; CHECK-NOT: select
; CHECK: ret void
define ptx_kernel void @rows(ptr %p, ptr %q, i32 %i) {
  %a = alloca [8 x [9 x i32]]
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %p, i64 288, i1 false)
  %row = and i32 %i, 7
  %wide = zext i32 %row to i64
  %at = getelementptr inbounds [8 x [9 x i32]], ptr %a, i64 0, i64 %wide, i64 5
  %x = load i32, ptr %at
  store i32 %x, ptr %q
  ret void
}

; One that is halved from iteration to iteration counts, too.
; CHECK-LABEL: define ptx_kernel void @halved(
; CHECK-NOT: alloca
; CHECK-NOT: select
; CHECK: ret void
define ptx_kernel void @halved(ptr %p, ptr %q) {
  %a = alloca [5 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %p, i64 20, i1 false)
  br label %loop
loop:
  %half = phi i32 [ 4, %0 ], [ %next, %loop ]
  %at = getelementptr inbounds i32, ptr %a, i32 %half
  %x = load i32, ptr %at
  %y = mul i32 %x, 7
  store i32 %y, ptr %at
  %next = lshr i32 %half, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %done
done:
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %q, ptr align 4 %a, i64 20, i1 false)
  ret void
}

; Five elements in bounds of a mask that allows eight: the array stays.
; CHECK-LABEL: @outside(
; CHECK: alloca [5 x i32]
; CHECK: ret void
define ptx_kernel void @outside(ptr %p, i32 %i) {
  %a = alloca [5 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 20, i1 false)
  %low = and i32 %i, 7
  %to = getelementptr inbounds i32, ptr %a, i32 %low
  store i32 7, ptr %to
  %x = load i32, ptr %a
  store i32 %x, ptr %p
  ret void
}

; A loop that goes through an array is unrolled; the products of its body are
; fused as the kernel says that they are in the loop.
; CHECK-LABEL: @counter(
; CHECK-NOT: alloca
; CHECK-COUNT-4: call double @llvm.fma.f64
; CHECK-NOT: alloca
; CHECK-NOT: fmul
; CHECK: ret void
define ptx_kernel void @counter(ptr %p, ptr %q, double %f) "regdem-roundings"="sums:f" {
entry:
  %a = alloca [4 x double]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %from
  %product = fmul contract double %x, %f
  %sum = fadd contract double %product, 1.0
  %to = getelementptr double, ptr %a, i64 %i
  store double %sum, ptr %to
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, 4
  br i1 %end, label %second, label %loop
second:
  %j = phi i64 [ 0, %loop ], [ %after, %second ]
  %at = getelementptr double, ptr %a, i64 %j
  %y = load double, ptr %at
  %out = getelementptr double, ptr %q, i64 %j
  store double %y, ptr %out
  %after = add i64 %j, 1
  %done = icmp eq i64 %after, 4
  br i1 %done, label %exit, label %second
exit:
  ret void
}

; A product that goes through memory is rounded before it is added, whatever it
; goes through afterwards.
; CHECK-LABEL: @stored(
; CHECK-NOT: alloca
; CHECK: fmul double
; CHECK: fadd double
; CHECK: ret void
define ptx_kernel void @stored(ptr %p, double %x, double %y, i32 %i) "regdem-roundings"="sums:." {
  %a = alloca [2 x double]
  %product = fmul contract double %x, %y
  store double %product, ptr %a
  %second = getelementptr i8, ptr %a, i64 8
  store double 3.0, ptr %second
  %low = and i32 %i, 1
  %from = getelementptr double, ptr %a, i32 %low
  %v = load double, ptr %from
  %sum = fadd contract double %v, %y
  store double %sum, ptr %p
  ret void
}

; Of two products the first is fused.
; CHECK-LABEL: @both(
; CHECK-NOT: alloca
; CHECK: [[SECOND:%.*]] = fmul float %{{.*}}, %z
; CHECK: call float @llvm.fma.f32(float %{{.*}}, float %y, float [[SECOND]])
; CHECK: ret void
define ptx_kernel void @both(ptr %p, float %y, float %z, i32 %i) "regdem-roundings"="sums:f" {
  %a = alloca [2 x float]
  store float %y, ptr %a
  %second = getelementptr i8, ptr %a, i64 4
  store float %z, ptr %second
  %low = and i32 %i, 1
  %from = getelementptr float, ptr %a, i32 %low
  %v = load float, ptr %from
  %first.product = fmul contract float %v, %y
  %second.product = fmul contract float %v, %z
  %sum = fadd contract float %first.product, %second.product
  store float %sum, ptr %p
  ret void
}

; A pointer that may point to several variables.
; CHECK-LABEL: @joined(
; CHECK-NOT: alloca
; CHECK: ret void
define ptx_kernel void @joined(ptr %p, i1 %c) {
entry:
  %a = alloca float
  %b = alloca float
  store float 1.0, ptr %a
  store float 2.0, ptr %b
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %q = phi ptr [ %a, %entry ], [ %b, %then ]
  store float 5.0, ptr %q
  %x = load float, ptr %a
  store float %x, ptr %p
  ret void
}

; A copy of a parameter that is only read.
; CHECK-LABEL: @copied(
; CHECK-NOT: alloca
; CHECK-NOT: select
; CHECK: [[AT:%.*]] = getelementptr {{.*}}ptr %in
; CHECK: load i32, ptr [[AT]]
define ptx_kernel void @copied(ptr byval([16 x i32]) %in, ptr %p, i32 %n) {
  %a = alloca [16 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %in, i64 64, i1 false)
  %low = and i32 %n, 15
  %at = getelementptr i32, ptr %a, i32 %low
  %x = load i32, ptr %at
  store i32 %x, ptr %p
  ret void
}

; Once its loop is unrolled, a pointer to two arrays is one to each: the small one
; becomes registers, the large one stays.
; CHECK-LABEL: @split(
; CHECK: alloca [512 x i32]
; CHECK-NOT: alloca
; CHECK: ret void
; REMARK: 'split': 'a' (2064 bytes a thread) may stay in local memory in part: it has more
define ptx_kernel void @split(ptr %p, i32 %j) {
  %a = alloca [4 x i32]
  %b = alloca [512 x i32]
  store i32 %j, ptr %a
  %a1 = getelementptr inbounds i8, ptr %a, i64 4
  store i32 %j, ptr %a1
  %large = and i32 %j, 511
  %to = getelementptr inbounds i32, ptr %b, i32 %large
  store i32 7, ptr %to
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %from = phi ptr [ %a, %0 ], [ %b, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more, %loop ]
  %at = getelementptr inbounds i32, ptr %from, i32 %i
  %x = load i32, ptr %at
  %more = add i32 %sum, %x
  %next = add nuw nsw i32 %i, 1
  %again = icmp ne i32 %next, 2
  br i1 %again, label %loop, label %done
done:
  %other = and i32 %j, 510
  %out = getelementptr inbounds i32, ptr %b, i32 %other
  %y = load i32, ptr %out
  %z = add i32 %more, %y
  store i32 %z, ptr %p
  ret void
}

; A vector looked at by element.
; CHECK-LABEL: @union(
; CHECK-NOT: alloca
; CHECK: ret void
define ptx_kernel void @union(ptr %p, i32 %n) {
  %a = alloca <4 x float>, align 16
  %v = load <4 x float>, ptr %p
  store <4 x float> %v, ptr %a
  %low = and i32 %n, 3
  %at = getelementptr float, ptr %a, i32 %low
  store float 1.0, ptr %at
  %w = load <4 x float>, ptr %a
  store <4 x float> %w, ptr %p
  ret void
}

; Where the address is needed, the array stays.
; CHECK-LABEL: @needed(
; CHECK: alloca [2 x i32]
define ptx_kernel void @needed(ptr %p) {
  %a = alloca [2 x i32]
  store i32 0, ptr %a
  store ptr %a, ptr %p
  ret void
}

; LLVM knows that no square root is negative, so that one is stored where it is
; not above 0. The checker knows, too.
; CHECK-LABEL: @root(
; CHECK-NOT: alloca
; CHECK: call float @llvm.sqrt.f32(float 0.000000e+00)
; CHECK: ret void
define ptx_kernel void @root(ptr %p) {
  %a = alloca [2 x float]
  %r = call float @llvm.sqrt.f32(float 0.0)
  store float %r, ptr %a
  %above = fcmp ogt float %r, 0.0
  br i1 %above, label %clear, label %join
clear:
  store float 0.0, ptr %a
  br label %join
join:
  %x = load float, ptr %a
  store float %x, ptr %p
  ret void
}

; A function that is no kernel is left alone.
; CHECK-LABEL: @function(
; CHECK: alloca [2 x i32]
define i32 @function(i32 %i) {
  %a = alloca [2 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 8, i1 false)
  %low = and i32 %i, 1
  %from = getelementptr i32, ptr %a, i32 %low
  %x = load i32, ptr %from
  ret i32 %x
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare float @llvm.sqrt.f32(float)
