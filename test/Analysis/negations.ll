; A negation that is read by sums and products alone takes no register: the
; machine instructions take their operands with either sign.
; RUN: %regdem-opt --mcpu=sm_90 --print=candidates %s | FileCheck %s
; RUN: %regdem-opt --mcpu=sm_90 --print=pressure %s | FileCheck %s --check-prefix=PRESSURE
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fma.f64(double, double, double)

; CHECK-LABEL: === candidates of fused
; CHECK-COUNT-2: free
; CHECK-NOT: free
; PRESSURE-LABEL: === pressure of fused
; PRESSURE: kernel: 6 words
define ptx_kernel void @fused(ptr addrspace(1) %p) {
  %x = load volatile double, ptr addrspace(1) %p
  %n = fneg double %x
  %a = load volatile double, ptr addrspace(1) %p
  %b = load volatile double, ptr addrspace(1) %p
  %s = call double @llvm.fma.f64(double %n, double %a, double %b)
  %t = call double @llvm.fma.f64(double %s, double %b, double %n)
  %u = fadd double %t, %x
  store volatile double %u, ptr addrspace(1) %p
  ret void
}

; Memory has to get the bits themselves.
; CHECK-LABEL: === candidates of stored
; CHECK: free
; CHECK-NOT: free
define ptx_kernel void @stored(ptr addrspace(1) %p) {
  %x = load volatile float, ptr addrspace(1) %p
  %n = fneg float %x
  %s = call float @llvm.fma.f32(float %n, float %x, float %x)
  store volatile float %n, ptr addrspace(1) %p
  store volatile float %s, ptr addrspace(1) %p
  ret void
}

; A product that no sum reads may leave its register, whatever its sign.
; CHECK-LABEL: === candidates of multiplied
; CHECK: free
; CHECK: free
; CHECK-NOT: product that ptxas may fuse
define ptx_kernel void @multiplied(ptr addrspace(1) %p) {
  %x = load volatile float, ptr addrspace(1) %p
  %xx = fmul contract float %x, %x
  %n = fneg float %xx
  %s = call float @llvm.fma.f32(float %n, float %x, float %x)
  store volatile float %xx, ptr addrspace(1) %p
  store volatile float %s, ptr addrspace(1) %p
  ret void
}

; What is negated may be another value by then.
; CHECK-LABEL: === candidates of carried
; CHECK: free
; CHECK-NOT: free
define ptx_kernel void @carried(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %x = phi float [ 1.0, %entry ], [ %y, %loop ]
  %n = fneg float %x
  %y = load volatile float, ptr addrspace(1) %p
  %s = call float @llvm.fma.f32(float %n, float %y, float %y)
  store volatile float %s, ptr addrspace(1) %p
  %more = fcmp ogt float %s, %y
  br i1 %more, label %loop, label %done
done:
  ret void
}
