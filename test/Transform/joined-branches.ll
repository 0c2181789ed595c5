; Tests on both sides of a branch at which threads may part become one.
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem -regdem-mode=demote -regdem-max-regs=64 -regdem-ptxas=off -regdem-rewrites=join-branches -regdem-report=%t.jsonl %s -o %t.ptx
; RUN: FileCheck %s < %t.ptx
; RUN: %report %t.jsonl parts "rewrites == 'join-branches'"
; RUN: %report %t.jsonl turned "rewrites == 'join-branches'"
; RUN: %report %t.jsonl together "rewrites == ''"
; RUN: %report %t.jsonl loads "rewrites == ''"
; RUN: %report %t.jsonl rounds "rewrites == ''"
; RUN: %report %t.jsonl elsewhere "rewrites == ''"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry parts(
; CHECK-COUNT-1: bra
; CHECK-NOT: bra
; CHECK: ret;
define ptx_kernel void @parts(ptr %p, ptr %q) #0 {
  %x = load float, ptr %q
  %to = getelementptr float, ptr %q, i32 1
  %y = load float, ptr %to
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = and i32 %t, 1
  %vertical = icmp ne i32 %bit, 0
  br i1 %vertical, label %a, label %b
a:
  %c = fcmp olt float %y, 2.0
  br i1 %c, label %then, label %done
b:
  %d = fcmp olt float %x, 3.0
  br i1 %d, label %then, label %done
then:
  store volatile i32 1, ptr %p
  br label %done
done:
  ret void
}

; What the sides give to others is chosen, too, and the targets of the second
; may be the other way round.
; CHECK-LABEL: .entry turned(
; CHECK-COUNT-1: bra
; CHECK-NOT: bra
; CHECK: selp
; CHECK-NOT: bra
; CHECK: ret;
define ptx_kernel void @turned(ptr %p, ptr %q) #0 {
  %x = load i32, ptr %q
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = and i32 %t, 1
  %odd = icmp ne i32 %bit, 0
  br i1 %odd, label %a, label %b
a:
  %more = add i32 %x, 5
  %c = icmp slt i32 %more, %t
  br i1 %c, label %then, label %done
b:
  %d = icmp ugt i32 %x, 9
  br i1 %d, label %done, label %then
then:
  %v = phi i32 [ %more, %a ], [ %x, %b ]
  store volatile i32 %v, ptr %p
  br label %done
done:
  ret void
}

; All threads go the same way.
define ptx_kernel void @together(ptr %p, i32 %x, i32 %y) #0 {
  %odd = icmp ne i32 %y, 0
  br i1 %odd, label %a, label %b
a:
  %c = icmp slt i32 %x, 7
  br i1 %c, label %then, label %done
b:
  %d = icmp ugt i32 %x, 9
  br i1 %d, label %then, label %done
then:
  store volatile i32 1, ptr %p
  br label %done
done:
  ret void
}

; One side reads what the other may not.
define ptx_kernel void @loads(ptr %p, ptr %q) #0 {
  %x = load i32, ptr %q
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = icmp ne i32 %t, 0
  br i1 %odd, label %a, label %b
a:
  %at = getelementptr i32, ptr %q, i32 %t
  %more = load i32, ptr %at
  %c = icmp slt i32 %more, 7
  br i1 %c, label %then, label %done
b:
  %d = icmp ugt i32 %x, 9
  br i1 %d, label %then, label %done
then:
  store volatile i32 1, ptr %p
  br label %done
done:
  ret void
}

; ptxas might fuse the product with another sum.
define ptx_kernel void @rounds(ptr %p, ptr %q) #0 {
  %x = load float, ptr %q
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = icmp ne i32 %t, 0
  br i1 %odd, label %a, label %b
a:
  %y = fmul float %x, %x
  %c = fcmp olt float %y, 7.0
  br i1 %c, label %then, label %done
b:
  %d = fcmp olt float %x, 9.0
  br i1 %d, label %then, label %done
then:
  store volatile i32 1, ptr %p
  br label %done
done:
  ret void
}

; The sides lead to different places.
define ptx_kernel void @elsewhere(ptr %p, ptr %q) #0 {
  %x = load i32, ptr %q
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = icmp ne i32 %t, 0
  br i1 %odd, label %a, label %b
a:
  %c = icmp slt i32 %x, 7
  br i1 %c, label %then, label %done
b:
  %d = icmp ugt i32 %x, 9
  br i1 %d, label %then, label %other
then:
  store volatile i32 1, ptr %p
  br label %done
other:
  store volatile i32 2, ptr %p
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "nvvm.maxntid"="128" }
