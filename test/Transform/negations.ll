; Where a value leaves its register, its negation is computed again wherever it
; is read, from what is reloaded; the report does not count that.
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem "-regdem-build=cap=16 demote=belady:12" -regdem-verify -regdem-report=%t.jsonl %s -o - | FileCheck %s
; RUN: %report %t.jsonl negated "decision == 'demote'" "recomputations == 0"
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.fma.f32(float, float, float)

; CHECK-LABEL: .entry negated
; CHECK:       neg.f32 [[N:%r[0-9]+]], [[X:%r[0-9]+]];
; CHECK:       neg.f32 [[N]], [[X]];
; CHECK-NEXT:  fma.rn.f32 {{%r[0-9]+}}, [[N]],
; CHECK-NOT:   st.shared.b32 [{{.*}}], [[N]];
; CHECK:       st.shared.b32 [{{.*}}], [[X]];
; CHECK:       ld.shared.b32 [[X]], [
; CHECK:       neg.f32 [[N]], [[X]];
; CHECK-NEXT:  fma.rn.f32 {{%r[0-9]+}}, [[N]],
define ptx_kernel void @negated(ptr addrspace(1) %p) "nvvm.reqntid"="128" {
  %x = load volatile float, ptr addrspace(1) %p
  %n = fneg float %x
  %a = load volatile float, ptr addrspace(1) %p
  %early = call float @llvm.fma.f32(float %n, float %a, float %a)
  store volatile float %early, ptr addrspace(1) %p
  %h0 = load volatile i32, ptr addrspace(1) %p
  %h1 = load volatile i32, ptr addrspace(1) %p
  %h2 = load volatile i32, ptr addrspace(1) %p
  %h3 = load volatile i32, ptr addrspace(1) %p
  %h4 = load volatile i32, ptr addrspace(1) %p
  %h5 = load volatile i32, ptr addrspace(1) %p
  %h6 = load volatile i32, ptr addrspace(1) %p
  %h7 = load volatile i32, ptr addrspace(1) %p
  %h8 = load volatile i32, ptr addrspace(1) %p
  %h9 = load volatile i32, ptr addrspace(1) %p
  %h10 = load volatile i32, ptr addrspace(1) %p
  %h11 = load volatile i32, ptr addrspace(1) %p
  %h12 = load volatile i32, ptr addrspace(1) %p
  %h13 = load volatile i32, ptr addrspace(1) %p
  %h14 = load volatile i32, ptr addrspace(1) %p
  %h15 = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %h0, ptr addrspace(1) %p
  store volatile i32 %h1, ptr addrspace(1) %p
  store volatile i32 %h2, ptr addrspace(1) %p
  store volatile i32 %h3, ptr addrspace(1) %p
  store volatile i32 %h4, ptr addrspace(1) %p
  store volatile i32 %h5, ptr addrspace(1) %p
  store volatile i32 %h6, ptr addrspace(1) %p
  store volatile i32 %h7, ptr addrspace(1) %p
  store volatile i32 %h8, ptr addrspace(1) %p
  store volatile i32 %h9, ptr addrspace(1) %p
  store volatile i32 %h10, ptr addrspace(1) %p
  store volatile i32 %h11, ptr addrspace(1) %p
  store volatile i32 %h12, ptr addrspace(1) %p
  store volatile i32 %h13, ptr addrspace(1) %p
  store volatile i32 %h14, ptr addrspace(1) %p
  store volatile i32 %h15, ptr addrspace(1) %p
  %late = call float @llvm.fma.f32(float %n, float %x, float %early)
  store volatile float %late, ptr addrspace(1) %p
  store volatile float %x, ptr addrspace(1) %p
  ret void
}
