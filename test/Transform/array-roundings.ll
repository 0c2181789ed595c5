; Of two products that a sum reads, LLVM fuses the one with fewer readers. That
; is certain for a product that all of its sums read beside one of their own:
; arrays become registers, with the fused products written down.
; RUN: %opt -load-pass-plugin %plugin -mcpu=sm_90 -passes=regdem-lower-arrays,verify -S %s -o - | FileCheck %s
; LLVM itself:
; RUN: %llc -mcpu=sm_90 -fp-contract=fast %s -o - | FileCheck %s --check-prefix=STOCK
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @shared(
; CHECK-NOT:   alloca
; CHECK:       [[P:%.*]] = call double @llvm.nvvm.mul.rn.d(double %x, double %f)
; CHECK:       call double @llvm.fma.f64(double %x, double %g, double [[P]])
; CHECK:       call double @llvm.fma.f64(double %y, double %g, double [[P]])
; CHECK:       ret void
; STOCK-LABEL: .entry shared(
; STOCK:       ld.param.b64 [[F:%rd[0-9]+]], [shared_param_1]
; STOCK:       mul.{{(rn.)?}}f64 [[P:%rd[0-9]+]], {{.*}}, [[F]];
; STOCK:       fma.rn.f64 {{.*}}, [[P]];
; STOCK:       fma.rn.f64 {{.*}}, [[P]];
; STOCK:       ret;
define ptx_kernel void @shared(ptr %p, double %f, double %g, i32 %i) {
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

; The sum of two is fused with what it alone reads, the other with what is left.
; CHECK-LABEL: @chained(
; CHECK-NOT:   alloca
; CHECK:       [[P:%.*]] = call double @llvm.nvvm.mul.rn.d(double %x, double %f)
; CHECK:       call double @llvm.fma.f64(double %x, double %g, double [[P]])
; CHECK:       call double @llvm.fma.f64(double %x, double %f, double %h)
; CHECK:       ret void
; STOCK-LABEL: .entry chained(
; STOCK:       mul.{{(rn.)?}}f64 [[P:%rd[0-9]+]],
; STOCK:       fma.rn.f64 {{.*}}, [[P]];
; STOCK:       fma.rn.f64
; STOCK:       ret;
define ptx_kernel void @chained(ptr %p, double %f, double %g, double %h, i32 %i) {
  %a = alloca [2 x double]
  %x = load double, ptr %p
  %both = fmul contract double %x, %f
  %one = fmul contract double %x, %g
  %sum = fadd contract double %both, %one
  %more = fadd contract double %both, %h
  store double %sum, ptr %a
  %to = getelementptr i8, ptr %a, i64 8
  store double %more, ptr %to
  %low = and i32 %i, 1
  %from = getelementptr double, ptr %a, i32 %low
  %z = load double, ptr %from
  store double %z, ptr %p
  ret void
}

; The two products of %x and %g become one, which has two readers then.
; CHECK-LABEL: @twins(
; CHECK:       alloca
; CHECK:       ret void
define ptx_kernel void @twins(ptr %p, double %f, double %g, i32 %i) {
  %a = alloca [2 x double]
  %x = load double, ptr %p
  %both = fmul contract double %x, %f
  %one = fmul contract double %x, %g
  %twin = fmul contract double %g, %x
  %sum = fadd contract double %both, %one
  %more = fadd contract double %both, %twin
  store double %sum, ptr %a
  %to = getelementptr i8, ptr %a, i64 8
  store double %more, ptr %to
  %low = and i32 %i, 1
  %from = getelementptr double, ptr %a, i32 %low
  %z = load double, ptr %from
  store double %z, ptr %p
  ret void
}
