; A kernel that says what its products are fused with is written so before its
; arrays become registers: a letter for each sum says which operand it is fused
; with (f, s), or that it is rounded by itself (.).
; RUN: %opt -load-pass-plugin %plugin -mcpu=sm_90 -passes=regdem-lower-arrays,verify -S %s -o - | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @shared(
; CHECK-NOT:   alloca
; CHECK:       [[P:%.*]] = fmul double %x, %f
; CHECK:       call double @llvm.fma.f64(double %x, double %g, double [[P]])
; CHECK:       call double @llvm.fma.f64(double %y, double %g, double [[P]])
; CHECK:       ret void
define ptx_kernel void @shared(ptr %p, double %f, double %g, i32 %i) "regdem-roundings"="sums:ss" {
  %a = alloca [2 x double]
  %x = load double, ptr %p
  %next = getelementptr i8, ptr %p, i64 8
  %y = load double, ptr %next
  %both = fmul contract double %x, %f
  %one = fmul contract double %x, %g
  %other = fmul contract double %y, %g
  %sum = fadd contract double %both, %one
  %more = fadd contract double %both, %other
  store double %sum, ptr %a
  %to = getelementptr i8, ptr %a, i64 8
  store double %more, ptr %to
  %low = and i32 %i, 1
  %from = getelementptr double, ptr %a, i32 %low
  %z = load double, ptr %from
  store double %z, ptr %p
  ret void
}

; Products of another block, with other signs, of halves and vectors.
; CHECK-LABEL: @kinds(
; CHECK-NOT:   contract
; CHECK:       [[OTHER:%.*]] = fneg double %s
; CHECK:       call double @llvm.fma.f64(double %x, double %f, double [[OTHER]])
; CHECK:       [[MINUS:%.*]] = fneg double %x
; CHECK:       call double @llvm.fma.f64(double [[MINUS]], double %f, double %
; CHECK:       call double @llvm.fma.f64(double %x, double %f, double %
; CHECK:       call <2 x half> @llvm.fma.v2f16(<2 x half> %v, <2 x half> %v, <2 x half> %v)
; CHECK:       ret void
define ptx_kernel void @kinds(ptr %p, double %f, <2 x half> %v, i32 %i) "regdem-roundings"="sums:.fssf" {
  %a = alloca [2 x double]
  %x = load double, ptr %p
  %product = fmul contract double %x, %f
  %s = fadd contract double %f, %x
  %low = and i32 %i, 1
  %odd = icmp eq i32 %low, 0
  br i1 %odd, label %then, label %exit
then:
  %difference = fsub contract double %product, %s
  %negative = fsub contract double %difference, %product
  %minus = fneg contract double %product
  %sum = fsub contract double %negative, %minus
  store double %sum, ptr %p
  %squares = fmul contract <2 x half> %v, %v
  %halves = fadd contract <2 x half> %squares, %v
  %to = getelementptr i8, ptr %p, i64 8
  store <2 x half> %halves, ptr %to
  br label %exit
exit:
  store double %x, ptr %a
  %next = getelementptr i8, ptr %a, i64 8
  store double %s, ptr %next
  %from = getelementptr double, ptr %a, i32 %low
  %z = load double, ptr %from
  %out = getelementptr i8, ptr %p, i64 16
  store double %z, ptr %out
  ret void
}

; What is said is of another kernel: there is no product.
; CHECK-LABEL: @other(
; CHECK:       alloca
; CHECK:       fadd contract
; CHECK:       ret void
define ptx_kernel void @other(ptr %p, double %f, i32 %i) "regdem-roundings"="sums:s" {
  %a = alloca [2 x double]
  %x = load double, ptr %p
  %both = fmul contract double %x, %f
  %sum = fadd contract double %both, %x
  store double %sum, ptr %a
  %to = getelementptr i8, ptr %a, i64 8
  store double %x, ptr %to
  %low = and i32 %i, 1
  %from = getelementptr double, ptr %a, i32 %low
  %z = load double, ptr %from
  store double %z, ptr %p
  ret void
}
