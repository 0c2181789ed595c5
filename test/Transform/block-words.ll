; A value that is the same for all threads of a block takes one word of the block
; after the threads' words, at an address without the thread's index; the base
; of the threads' words is another register. Its accesses are volatile.
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem -regdem-block-words -regdem-mode=demote -regdem-max-regs=18 -regdem-ptxas=off -regdem-verify -regdem-report=%t.jsonl -pass-remarks=regdem %s -o - 2> %t.remarks | FileCheck %s
; RUN: %report %t.jsonl uniform "block_words == 2" "slots > 0" "slot_bytes == 512 * slots + 8"
; RUN: %report %t.jsonl varying "block_words == 0" "slots > 0"
; RUN: %llc-regdem -regdem-mode=demote -regdem-max-regs=18 -regdem-ptxas=off %s -o - | FileCheck %s --check-prefix=OFF
; RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
; RUN: %regdem-opt --mcpu=sm_90 -regdem-block-words --print=candidates %s | FileCheck %s --check-prefix=CANDIDATE
; RUN: %regdem-opt --mcpu=sm_90 -regdem-block-words --print=plan -regdem-mode=demote -regdem-ptxas=off -regdem-max-regs=18 %s | FileCheck %s --check-prefix=PLAN
; Without the option no thread reads a word that another one writes.
; OFF-NOT:     volatile.shared
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry uniform
; CHECK:       mov.b64 [[REGION:%rd[0-9]+]], __regdem_slots_uniform;
; CHECK:       st.volatile.shared.b64 {{\[}}[[REGION]]+[[AT:[0-9]+]]], [[F:%rd[0-9]+]];
; CHECK:       ld.volatile.shared.b64 [[F]], {{\[}}[[REGION]]+[[AT]]];
; REMARK:      'uniform' held to 18 registers with {{[0-9]+}} words a thread and 2 a block ({{[0-9]+}} bytes a block) in shared memory
; CANDIDATE:   2 words, demotable, block slot
; PLAN:        block slots: 2 words
; PLAN:        reload %{{[0-9]+}} from block slot 0 in bb.0
define ptx_kernel void @uniform(ptr addrspace(1) %p, ptr addrspace(1) noalias %q, i64 %u) "nvvm.reqntid"="128" {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = zext i32 %id to i64
  %a = getelementptr i64, ptr addrspace(1) %q, i64 %i
  %v = load i64, ptr addrspace(1) %a, !invariant.load !0
  %f = mul i64 %v, %u
  store volatile i64 %f, ptr addrspace(1) %p
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
  store volatile i64 %f, ptr addrspace(1) %p
  ret void
}

; The thread's index makes the address, and the value, another for each thread.
; CHECK-LABEL: .entry varying
; CHECK-NOT:   volatile.shared
; CHECK:       ret;
define ptx_kernel void @varying(ptr addrspace(1) %p, ptr addrspace(1) noalias %q, i64 %u) "nvvm.reqntid"="128" {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %id to i64
  %a = getelementptr i64, ptr addrspace(1) %q, i64 %i
  %v = load i64, ptr addrspace(1) %a, !invariant.load !0
  %f = mul i64 %v, %u
  store volatile i64 %f, ptr addrspace(1) %p
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
  store volatile i64 %f, ptr addrspace(1) %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!0 = !{}
