; Where accesses are improved, addresses that differ by constants share a
; register, though clang has extended their indices without signs; LLVM by itself
; does not see how they differ.
; RUN: sed -e 's/WITHOUT/"regdem-settled"="{\\22recipe\\22:\\22rewrites=cheaper-accesses\\22}"/' %s > %t.ll
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %t.ll -o - | FileCheck %s
; RUN: %llc-regdem -regdem-mode=off %t.ll -o - | FileCheck %s --check-prefix=OFF

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry neighbours
; CHECK:         ld.global{{(.nc)?}}.b32 {{%r[0-9]+}}, [[[BASE:%rd[0-9]+]]];
; CHECK:         ld.global{{(.nc)?}}.b32 {{%r[0-9]+}}, [[[BASE]]+4];
; CHECK:         ld.global{{(.nc)?}}.b32 {{%r[0-9]+}}, [[[BASE]]+8];
; OFF-LABEL: .entry neighbours
; OFF:           ld.global{{(.nc)?}}.b32 {{%r[0-9]+}}, [[[BASE:%rd[0-9]+]]];
; OFF-NOT:       [[[BASE]]
; OFF:         .entry wraps
define ptx_kernel void @neighbours(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %row, i32 %i) #0 {
  %before = add nsw i32 %i, -1
  %at0 = add nuw nsw i32 %row, %before
  %index0 = zext nneg i32 %at0 to i64
  %p0 = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index0
  %v0 = load float, ptr addrspace(1) %p0
  %at1 = add nuw nsw i32 %row, %i
  %index1 = zext nneg i32 %at1 to i64
  %p1 = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index1
  %v1 = load float, ptr addrspace(1) %p1
  %after = or disjoint i32 %i, 1
  %at2 = add nsw i32 %row, %after
  %index2 = sext i32 %at2 to i64
  %p2 = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index2
  %v2 = load float, ptr addrspace(1) %p2
  %s = fadd float %v0, %v1
  %sum = fadd float %s, %v2
  store float %sum, ptr addrspace(1) %out
  ret void
}

; A sum that may wrap is another value than its parts, and so is one that is
; extended without a sign it may have.
; CHECK-LABEL: .entry wraps
; CHECK:         ld.global{{(.nc)?}}.b32 {{%r[0-9]+}}, [[[BASE:%rd[0-9]+]]];
; CHECK-NOT:     [[[BASE]]
; CHECK:         ret;
define ptx_kernel void @wraps(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %i) #0 {
  %index0 = zext nneg i32 %i to i64
  %p0 = getelementptr float, ptr addrspace(1) %in, i64 %index0
  %v0 = load float, ptr addrspace(1) %p0
  %at1 = add i32 %i, 1
  %index1 = zext nneg i32 %at1 to i64
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 %index1
  %v1 = load float, ptr addrspace(1) %p1
  %at2 = add nsw i32 %i, -1
  %index2 = zext i32 %at2 to i64
  %p2 = getelementptr float, ptr addrspace(1) %in, i64 %index2
  %v2 = load float, ptr addrspace(1) %p2
  %s = fadd float %v0, %v1
  %sum = fadd float %s, %v2
  store float %sum, ptr addrspace(1) %out
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" WITHOUT }
