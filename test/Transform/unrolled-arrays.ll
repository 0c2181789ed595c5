; Loops over arrays in local memory do four iterations at once, however few they
; make, and neighbouring elements share an access: where each iteration counts,
; and where the array's elements have several parts.
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %s -o - | FileCheck %s
; RUN: %llc-regdem -regdem-mode=off %s -o - | FileCheck %s --check-prefix=OFF
target triple = "nvptx64-nvidia-cuda"

%part = type { float, float, float }

; CHECK-LABEL: .entry sums
; CHECK:       .local .align 16
; CHECK:       ld.local.v4.b32
; CHECK:       ld.local.v4.b32
; CHECK:       ld.local.v4.b32
; CHECK:       ld.local.v4.b32
; CHECK:       st.local.v4.b32
; OFF-LABEL: .entry sums
; OFF-NOT:   local.v4
define ptx_kernel void @sums(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i32 %k) #0 {
entry:
  %acc = alloca [32 x float], align 4
  %parts = alloca [32 x %part], align 4
  call void @fill(ptr %acc, ptr %parts)
  br label %outer

outer:
  %j = phi i32 [ 0, %entry ], [ %j.next, %outer.end ]
  %q = getelementptr i32, ptr addrspace(1) %in, i32 %j
  %v = load i32, ptr addrspace(1) %q
  %x = bitcast i32 %v to float
  br label %loop

loop:
  %i = phi i32 [ 0, %outer ], [ %next, %loop ]
  %at = zext nneg i32 %i to i64
  %p = getelementptr inbounds [32 x %part], ptr %parts, i64 0, i64 %at
  %a = load float, ptr %p, align 4
  %p1 = getelementptr inbounds i8, ptr %p, i64 4
  %b = load float, ptr %p1, align 4
  %p2 = getelementptr inbounds i8, ptr %p, i64 8
  %c = load float, ptr %p2, align 4
  %s = call float @llvm.fma.f32(float %a, float %x, float %b)
  %t = call float @llvm.fma.f32(float %s, float %x, float %c)
  %d = getelementptr inbounds [32 x float], ptr %acc, i64 0, i64 %at
  %old = load float, ptr %d, align 4
  %new = call float @llvm.fma.f32(float %t, float %x, float %old)
  store float %new, ptr %d, align 4
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 32
  br i1 %more, label %loop, label %outer.end

outer.end:
  %j.next = add nuw nsw i32 %j, 1
  %again = icmp slt i32 %j.next, %n
  br i1 %again, label %outer, label %exit

exit:
  %e = getelementptr inbounds [32 x float], ptr %acc, i64 0, i32 %k
  %r = load float, ptr %e, align 4
  store float %r, ptr addrspace(1) %out
  ret void
}

declare void @fill(ptr, ptr)
declare float @llvm.fma.f32(float, float, float)

attributes #0 = { "target-cpu"="sm_90" "regdem-settled"="{\22recipe\22:\22rewrites=unroll-loops\22}" }
