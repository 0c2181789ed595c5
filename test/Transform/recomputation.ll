; A value that one instruction computes from a parameter is neither stored nor
; reloaded: where it is read again, the instruction stands again.
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem "-regdem-build=cap=18 demote=belady:14" -regdem-verify -regdem-report=%t.jsonl -pass-remarks=regdem %s -o - 2> %t.remarks | FileCheck %s
; RUN: %report %t.jsonl shifted "recomputations == 1" "slots > 0" "stores >= slots"
; RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
; RUN: %regdem-opt --mcpu=sm_90 --print=candidates %s | FileCheck %s --check-prefix=CANDIDATE
; RUN: %regdem-opt --mcpu=sm_90 --print=plan "-regdem-build=cap=18 demote=belady:14" %s | FileCheck %s --check-prefix=PLAN
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry shifted
; CHECK:       ld.param.b32 [[U:%r[0-9]+]], [shifted_param_1];
; CHECK:       xor.b32 [[F:%r[0-9]+]], [[U]], 85;
; CHECK-NOT:   st.shared.b32 {{.*}}, [[F]];
; CHECK:       xor.b32 [[F]], [[U]], 85;
; CHECK-NEXT:  st.volatile.global.b32 [{{.*}}], [[F]];
; REMARK:      'shifted' held to 18 registers with {{.*}} reloads and 1 recomputations:
; CANDIDATE:   1 words, demotable, recomputation
; PLAN:        recompute %{{[0-9]+}} in bb.0 before
define ptx_kernel void @shifted(ptr addrspace(1) %p, i32 %u) "nvvm.reqntid"="128" {
  %f = xor i32 %u, 85
  store volatile i32 %f, ptr addrspace(1) %p
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
  %h16 = load volatile i32, ptr addrspace(1) %p
  %h17 = load volatile i32, ptr addrspace(1) %p
  %h18 = load volatile i32, ptr addrspace(1) %p
  %h19 = load volatile i32, ptr addrspace(1) %p
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
  store volatile i32 %h16, ptr addrspace(1) %p
  store volatile i32 %h17, ptr addrspace(1) %p
  store volatile i32 %h18, ptr addrspace(1) %p
  store volatile i32 %h19, ptr addrspace(1) %p
  store volatile i32 %f, ptr addrspace(1) %p
  ret void
}
