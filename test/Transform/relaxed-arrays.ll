; With -regdem-fp=relaxed a loop over an array is unrolled although its products
; may be fused with other sums then; not where operations may be reordered.
; RUN: %opt -load-pass-plugin %plugin -mcpu=sm_90 -passes=regdem-lower-arrays,verify -regdem-fp=relaxed -S %s -o - | FileCheck %s
; RUN: %opt -load-pass-plugin %plugin -mcpu=sm_90 -passes=regdem-lower-arrays,verify -S %s -o - | FileCheck %s --check-prefix=SAME
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The product that an iteration adds is of the one before. The kernel does not
; say how it rounds.
; CHECK-LABEL: @distant(
; CHECK-SAME:  [[RELAXED:#[0-9]+]]
; CHECK-NOT:   alloca
; CHECK-NOT:   br
; CHECK:       fmul contract double
; CHECK:       ret void
; SAME-LABEL:  @distant(
; SAME:        alloca
; SAME:        {{^}}loop:
; SAME:        fmul contract double
; SAME:        br i1 %end, label %exit, label %loop
; SAME:        ret void
define ptx_kernel void @distant(ptr %p, double %f) {
entry:
  %a = alloca [4 x double]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %before = phi double [ 0.0, %entry ], [ %product, %loop ]
  %from = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %from
  %product = fmul contract double %x, %f
  %sum = fadd contract double %before, %x
  %to = getelementptr double, ptr %a, i64 %i
  store double %sum, ptr %to
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, 4
  br i1 %end, label %exit, label %loop
exit:
  %last = getelementptr i8, ptr %a, i64 24
  %y = load double, ptr %last
  store double %y, ptr %p
  ret void
}

; Among builds of a launch the same results hold, whatever is asked for.
; CHECK-LABEL: @launched(
; CHECK:       br i1 %end, label %exit, label %loop
; CHECK:       ret void
define ptx_kernel void @launched(ptr %p, double %f) "regdem-launch"="128" {
entry:
  %a = alloca [4 x double]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %before = phi double [ 0.0, %entry ], [ %product, %loop ]
  %from = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %from
  %product = fmul contract double %x, %f
  %sum = fadd contract double %before, %x
  %to = getelementptr double, ptr %a, i64 %i
  store double %sum, ptr %to
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, 4
  br i1 %end, label %exit, label %loop
exit:
  %last = getelementptr i8, ptr %a, i64 24
  %y = load double, ptr %last
  store double %y, ptr %p
  ret void
}

; CHECK-LABEL: @reordered(
; CHECK:       alloca
; CHECK:       ret void
define ptx_kernel void @reordered(ptr %p, double %f) {
entry:
  %a = alloca [4 x double]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %before = phi double [ 0.0, %entry ], [ %product, %loop ]
  %from = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %from
  %product = fmul reassoc contract double %x, %f
  %sum = fadd reassoc contract double %before, %x
  %to = getelementptr double, ptr %a, i64 %i
  store double %sum, ptr %to
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, 4
  br i1 %end, label %exit, label %loop
exit:
  %last = getelementptr i8, ptr %a, i64 24
  %y = load double, ptr %last
  store double %y, ptr %p
  ret void
}

; What is certain is fixed as it is without the option, and not marked.
; CHECK-LABEL: @certain(
; CHECK-NOT:   [[RELAXED]] {
; CHECK-NOT:   alloca
; CHECK:       llvm.fma.f64
; CHECK:       ret void
; CHECK:       attributes [[RELAXED]] = { {{.*}}"regdem-code"="fused-otherwise"
define ptx_kernel void @certain(ptr %p, double %f) "regdem-roundings"="sums:f" {
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
  br i1 %end, label %exit, label %loop
exit:
  %last = getelementptr i8, ptr %a, i64 24
  %y = load double, ptr %last
  store double %y, ptr %p
  ret void
}
