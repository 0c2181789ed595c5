; Loads and integers are no products, whichever of LLVM's own functions stands
; for them: such loops are unrolled.
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %s -o - | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; LLVM makes one masked load of three words of four.
; CHECK-LABEL: .entry three_of_four
; CHECK-COUNT-5: ld.global{{.*}}v4.b32
; CHECK:         ret;
define ptx_kernel void @three_of_four(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n) #0 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %at = zext i32 %i to i64
  %p = getelementptr inbounds <4 x i32>, ptr addrspace(1) %in, i64 %at
  %x = load i32, ptr addrspace(1) %p, align 16
  %q = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  %y = load i32, ptr addrspace(1) %q, align 4
  %r = getelementptr inbounds i8, ptr addrspace(1) %p, i64 8
  %z = load i32, ptr addrspace(1) %r, align 8
  %xy = mul i32 %x, %y
  %xyz = xor i32 %xy, %z
  %sum = add i32 %s, %xyz
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi i32 [ 0, %entry ], [ %sum, %loop ]
  store i32 %last, ptr addrspace(1) %out
  ret void
}

; A rotated word goes on to the next iteration.
; CHECK-LABEL: .entry rotated
; CHECK-COUNT-5: ld.global{{(.nc)?}}.b32
; CHECK:         ret;
define ptx_kernel void @rotated(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n) #0 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 1, %entry ], [ %turned, %loop ]
  %at = zext i32 %i to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %at
  %x = load i32, ptr addrspace(1) %p, align 4
  %mixed = xor i32 %x, %s
  %turned = call i32 @llvm.fshl.i32(i32 %mixed, i32 %mixed, i32 7)
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi i32 [ 1, %entry ], [ %turned, %loop ]
  store i32 %last, ptr addrspace(1) %out
  ret void
}

; What a call gives may be a product that the next iteration adds.
; CHECK-LABEL: .entry called
; CHECK-COUNT-1: ld.global{{(.nc)?}}.b32
; CHECK-NOT:     ld.global
; CHECK:         ret;
define ptx_kernel void @called(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n) #0 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %power = phi float [ 1.0, %entry ], [ %given, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %at = zext i32 %i to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %x = load float, ptr addrspace(1) %p, align 4
  %given = call float @llvm.exp2.f32(float %x)
  %sum = fadd contract float %s, %power
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %last = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %last, ptr addrspace(1) %out
  ret void
}

declare i32 @llvm.fshl.i32(i32, i32, i32)
declare float @llvm.exp2.f32(float)

attributes #0 = { "regdem-settled"="{\22recipe\22:\22rewrites=unroll-loops\22}" "nvvm.reqntid"="128" "target-features"="+ptx88,+sm_90" "target-cpu"="sm_90" }
