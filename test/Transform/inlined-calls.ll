; Calls are inlined, and LLVM's passes run on what has become of the kernel: an
; array whose address went to a function is in registers. The functions
; themselves stay as they are.
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem -regdem-build=rewrites=inline-calls -verify-machineinstrs -regdem-report=%t.jsonl %s -o %t.ptx
; RUN: FileCheck %s < %t.ptx
; RUN: %report %t.jsonl array "rewrites == 'inline-calls'"
; RUN: %report %t.jsonl rounds "rewrites == 'inline-calls'" "'fp' not in globals() or fp == 'same'"
; RUN: %report %t.jsonl partly "rewrites == 'inline-calls'"
; RUN: %report %t.jsonl kept "rewrites == ''"
; RUN: %report %t.jsonl recursive "rewrites == ''"
; RUN: %report %t.jsonl reordered "rewrites == 'inline-calls'"
; RUN: %report %t.jsonl hidden "rewrites == 'inline-calls'"
; RUN: %report %t.jsonl hidden_argument "rewrites == 'inline-calls'"
; RUN: %report %t.jsonl approximate "rewrites == ''"
; RUN: %report %t.jsonl huge "rewrites == ''"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; A function that calls another one.
define void @fill(ptr %a, float %x) {
  call void @fill_one(ptr %a, float %x)
  %next = getelementptr inbounds float, ptr %a, i64 1
  call void @fill_one(ptr %next, float 3.0)
  ret void
}

define void @fill_one(ptr %a, float %x) {
  store float %x, ptr %a
  ret void
}

; CHECK-LABEL: .entry array(
; CHECK-NOT: .local
; CHECK-NOT: call
; CHECK: ret;
define ptx_kernel void @array(ptr %p, float %x) {
  %a = alloca [2 x float]
  call void @fill(ptr %a, float %x)
  %at = getelementptr inbounds float, ptr %a, i64 1
  %y = load float, ptr %a
  %z = load float, ptr %at
  %sum = fadd float %y, %z
  store float %sum, ptr %p
  ret void
}

; ptxas makes a call of a call, so that no product of the function is fused with
; the kernel's sum, and none of the kernel's with the function's.
; CHECK-LABEL: .visible .func {{.*}} product(
; CHECK: mul.f32
; CHECK: ret;
define float @product(float %x, float %y) {
  %p = fmul contract float %x, %y
  ret float %p
}

define float @sum(float %x, float %y) {
  %s = fadd contract float %x, %y
  ret float %s
}

define float @both(float %x, float %y, float %z) {
  %p = fmul contract float %x, %y
  %s = fadd contract float %p, %z
  ret float %s
}

; CHECK-LABEL: .entry rounds(
; CHECK-NOT: call
; CHECK: mul.rn.f32
; CHECK: add{{(.rn)?}}.f32
; CHECK: mul.rn.f32
; CHECK: add{{(.rn)?}}.f32
; CHECK: fma.rn.f32
; CHECK-NOT: mul.f32
; CHECK: ret;
define ptx_kernel void @rounds(ptr %p, float %x, float %y, float %z) {
  %a = call float @product(float %x, float %y)
  %b = fadd contract float %a, %z
  %c = fmul contract float %b, %x
  %d = call float @sum(float %c, float %y)
  %e = call float @both(float %d, float %x, float %y)
  store float %e, ptr %p
  ret void
}

; What the source says not to inline stays a call.
define float @stays(float %x) noinline {
  %y = fadd float %x, 1.0
  ret float %y
}

; CHECK-LABEL: .entry kept(
; CHECK: call{{.*}} stays,
define ptx_kernel void @kept(ptr %p, float %x) {
  %y = call float @stays(float %x)
  store float %y, ptr %p
  ret void
}

; CHECK-LABEL: .entry partly(
; CHECK-NOT: call{{.*}} sum,
; CHECK: call{{.*}} stays{{.*}},
define ptx_kernel void @partly(ptr %p, float %x) {
  %y = call float @stays(float %x)
  %z = call float @sum(float %y, float %x)
  store float %z, ptr %p
  ret void
}

define i32 @again(i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %done, label %more
more:
  %m = sub i32 %n, 1
  %r = call i32 @again(i32 %m)
  %s = mul i32 %r, %n
  ret i32 %s
done:
  ret i32 1
}

; CHECK-LABEL: .entry recursive(
; CHECK: call{{.*}} again,
define ptx_kernel void @recursive(ptr %p, i32 %n) {
  %r = call i32 @again(i32 %n)
  store i32 %r, ptr %p
  ret void
}

; LLVM may compute this in another order, but not once stock's is written down.
define float @fast_sum(float %x, float %y) {
  %a = fadd fast float %x, 1.0
  %b = fadd fast float %a, %y
  ret float %b
}

; CHECK-LABEL: .entry reordered(
; CHECK: add.f32 [[SUM:%r[0-9]+]], %r{{[0-9]+}}, 0f3F800000;
; CHECK-NEXT: ld.param
; CHECK-NEXT: add.f32 %r{{[0-9]+}}, [[SUM]],
define ptx_kernel void @reordered(ptr %p, float %x, float %y) {
  %r = call float @fast_sum(float %x, float %y)
  store float %r, ptr %p
  ret void
}

; A product that could be fused with a sum of the kernel once it is inlined.
define half @half_product(half %x, half %y) {
  %p = fmul contract half %x, %y
  ret half %p
}

define half @half_sum(half %x, half %y) {
  %s = fadd contract half %x, %y
  ret half %s
}

; CHECK-LABEL: .entry hidden(
; CHECK: mul.rn.f16
; CHECK-NEXT: add.f16
define ptx_kernel void @hidden(ptr %p, half %x, half %y) {
  %r = call half @half_product(half %x, half %y)
  %s = fadd contract half %r, %x
  store half %s, ptr %p
  ret void
}

; CHECK-LABEL: .entry hidden_argument(
; CHECK: mul.rn.f16
; CHECK-NEXT: add.f16
define ptx_kernel void @hidden_argument(ptr %p, half %x, half %y) {
  %q = fmul contract half %x, %y
  %r = call half @half_sum(half %q, half %y)
  store half %r, ptr %p
  ret void
}

; Of constants LLVM would compute it exactly.
define float @quotient(float %x, float %y) {
  %q = fdiv contract float %x, %y, !fpmath !0
  ret float %q
}

; CHECK-LABEL: .entry approximate(
; CHECK: call{{.*}} quotient
define ptx_kernel void @approximate(ptr %p) {
  %r = call float @quotient(float 1.0, float 3.0)
  store float %r, ptr %p
  ret void
}

; Two to the twelfth of a function.
define i32 @f0(i32 %x) {
  %a = mul i32 %x, 31
  %b = xor i32 %a, %x
  ret i32 %b
}
define i32 @f1(i32 %x) {
  %a = call i32 @f0(i32 %x)
  %b = call i32 @f0(i32 %a)
  ret i32 %b
}
define i32 @f2(i32 %x) {
  %a = call i32 @f1(i32 %x)
  %b = call i32 @f1(i32 %a)
  ret i32 %b
}
define i32 @f3(i32 %x) {
  %a = call i32 @f2(i32 %x)
  %b = call i32 @f2(i32 %a)
  ret i32 %b
}
define i32 @f4(i32 %x) {
  %a = call i32 @f3(i32 %x)
  %b = call i32 @f3(i32 %a)
  ret i32 %b
}
define i32 @f5(i32 %x) {
  %a = call i32 @f4(i32 %x)
  %b = call i32 @f4(i32 %a)
  ret i32 %b
}
define i32 @f6(i32 %x) {
  %a = call i32 @f5(i32 %x)
  %b = call i32 @f5(i32 %a)
  ret i32 %b
}
define i32 @f7(i32 %x) {
  %a = call i32 @f6(i32 %x)
  %b = call i32 @f6(i32 %a)
  ret i32 %b
}
define i32 @f8(i32 %x) {
  %a = call i32 @f7(i32 %x)
  %b = call i32 @f7(i32 %a)
  ret i32 %b
}
define i32 @f9(i32 %x) {
  %a = call i32 @f8(i32 %x)
  %b = call i32 @f8(i32 %a)
  ret i32 %b
}
define i32 @f10(i32 %x) {
  %a = call i32 @f9(i32 %x)
  %b = call i32 @f9(i32 %a)
  ret i32 %b
}
define i32 @f11(i32 %x) {
  %a = call i32 @f10(i32 %x)
  %b = call i32 @f10(i32 %a)
  ret i32 %b
}
define i32 @f12(i32 %x) {
  %a = call i32 @f11(i32 %x)
  %b = call i32 @f11(i32 %a)
  ret i32 %b
}

; CHECK-LABEL: .entry huge(
; CHECK: call{{.*}} f12,
define ptx_kernel void @huge(ptr %p, i32 %x) {
  %r = call i32 @f12(i32 %x)
  store i32 %r, ptr %p
  ret void
}

!0 = !{float 2.5}
