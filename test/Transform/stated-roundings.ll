; Instructions of a kernel that states its roundings have rounding modifiers
; where they matter; those of other kernels beside it are selected as always.
; RUN: %llc-regdem -regdem-ptxas=off -fp-contract=fast -verify-machineinstrs %s -o - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry before(
; CHECK:       mul.f32
; CHECK:       fma.rn.f32
; CHECK:       ret;
define ptx_kernel void @before(ptr addrspace(1) %p, float %a, float %b) #0 {
  %x = fmul contract float %a, %b
  store float %x, ptr addrspace(1) %p
  %s = fadd contract float %x, 1.0
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  store float %s, ptr addrspace(1) %q
  ret void
}

; ptxas has nothing to fuse with plain sums.
; CHECK-LABEL: .entry stated(
; CHECK:       mul.rn.f32
; CHECK:       add.f32
; CHECK:       ret;
define ptx_kernel void @stated(ptr addrspace(1) %p, float %a, float %b) #0 "regdem-roundings"="sums:." {
  %x = fmul contract float %a, %b
  store float %x, ptr addrspace(1) %p
  %s = fadd contract float %x, 1.0
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  store float %s, ptr addrspace(1) %q
  ret void
}

; It scales a product that nothing else reads by itself, as it did before, and
; fuses nothing with sums that are rounded.
; CHECK-LABEL: .entry scaled(
; CHECK:       mul.f32 [[PRODUCT:%r[0-9]+]],
; CHECK:       mul.rn.f32 {{.*}}, [[PRODUCT]], 0f3F000000;
; CHECK:       mul.rn.f32 [[OTHER:%r[0-9]+]],
; CHECK:       mul.rn.f32 {{.*}}, [[OTHER]], 0f3F000000;
; CHECK:       add.rn.f32
; CHECK:       ret;
define ptx_kernel void @scaled(ptr addrspace(1) %p, float %a, float %b) #0 "regdem-roundings"="sums:." {
  %x = fmul contract float %a, %b
  %h = fmul contract float %x, 0.5
  store volatile float %h, ptr addrspace(1) %p
  %y = fmul contract float %a, %a
  %g = fmul contract float %y, 0.5
  store volatile float %g, ptr addrspace(1) %p
  %s = fadd contract float %y, 1.0
  store float %s, ptr addrspace(1) %p
  ret void
}

; It may have with what inline assembly and calls give.
; CHECK-LABEL: .entry assembly(
; CHECK:       add.rn.f32
; CHECK:       ret;
define ptx_kernel void @assembly(ptr addrspace(1) %p, float %a) #0 "regdem-roundings"="sums:." {
  %x = call float asm "mul.f32 $0, $1, $1;", "=f,f"(float %a)
  %s = fadd contract float %x, 1.0
  store float %s, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .entry calls(
; CHECK:       add.rn.f32
; CHECK:       ret;
define ptx_kernel void @calls(ptr addrspace(1) %p, float %a) #0 "regdem-roundings"="sums:." {
  %x = call float @square(float %a)
  %s = fadd contract float %x, 1.0
  store float %s, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .entry after(
; CHECK:       mul.f32
; CHECK:       fma.rn.f32
; CHECK:       ret;
define ptx_kernel void @after(ptr addrspace(1) %p, float %a, float %b) #0 {
  %x = fmul contract float %a, %b
  store float %x, ptr addrspace(1) %p
  %s = fadd contract float %x, 1.0
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  store float %s, ptr addrspace(1) %q
  ret void
}

declare float @square(float)

attributes #0 = { "nvvm.reqntid"="128" "target-features"="+ptx88,+sm_90" "target-cpu"="sm_90" }
