; What is in local memory, how it is indexed, and why it may have to stay.
; RUN: %regdem-opt --mcpu=sm_90 --print=arrays %s | FileCheck %s
; RUN: %regdem-opt --mcpu=sm_90 --print=arrays -regdem-kernels=^mask$ %s | FileCheck %s --check-prefix=ONE
; ONE: === arrays of mask ===
; ONE-NOT: ===
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; A counter with known bounds, and the same place in all threads.
; CHECK-LABEL: arrays of counter
; CHECK-NEXT: a: 64 bytes{{$}}
; CHECK-NEXT:   1 writes 8 bytes, counter, uniform, in bounds{{$}}
; CHECK-NEXT:   1 reads 8 bytes, constant, uniform, in bounds{{$}}
define ptx_kernel void @counter(ptr %p) {
entry:
  %a = alloca [8 x double]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %from
  %to = getelementptr double, ptr %a, i64 %i
  store double %x, ptr %to
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, 8
  br i1 %end, label %exit, label %loop
exit:
  %last = getelementptr i8, ptr %a, i64 56
  %y = load double, ptr %last
  store double %y, ptr %p
  ret void
}

; Data within bounds by a mask; the second mask allows one element too many.
; A step that constants alone decide counts as well as a sum.
; CHECK-LABEL: arrays of halved
; CHECK-NEXT: a: 20 bytes{{$}}
; CHECK-NEXT:   1 reads 4 bytes, counter, uniform, in bounds{{$}}
; CHECK-LABEL: arrays of hashed
; CHECK-NEXT: a: 20 bytes{{$}}
; CHECK-NEXT:   1 reads 4 bytes, data, in bounds{{$}}
define ptx_kernel void @halved(ptr %p) {
  %a = alloca [5 x i32]
  br label %loop
loop:
  %half = phi i32 [ 4, %0 ], [ %next, %loop ]
  %at = getelementptr inbounds i32, ptr %a, i32 %half
  %x = load i32, ptr %at
  store i32 %x, ptr %p
  %next = lshr i32 %half, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}
define ptx_kernel void @hashed(ptr %p) {
  %a = alloca [5 x i32]
  br label %loop
loop:
  %count = phi i32 [ 0, %0 ], [ %up, %loop ]
  %place = phi i32 [ 4, %0 ], [ %next, %loop ]
  %at = getelementptr inbounds i32, ptr %a, i32 %place
  %x = load i32, ptr %at
  store i32 %x, ptr %p
  %mixed = xor i32 %place, %x
  %next = and i32 %mixed, 3
  %up = add i32 %count, 1
  %more = icmp ne i32 %up, 9
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: arrays of mask
; CHECK-NEXT: a: 28 bytes{{$}}
; CHECK-NEXT:   1 writes 4 bytes, data, uniform, in bounds{{$}}
; CHECK-NEXT:   1 reads 4 bytes, data, uniform{{$}}
define ptx_kernel void @mask(ptr %p, i32 %n) {
  %a = alloca [7 x i32]
  %small = and i32 %n, 3
  %near = getelementptr i32, ptr %a, i32 %small
  store i32 1, ptr %near
  %large = and i32 %n, 7
  %far = getelementptr i32, ptr %a, i32 %large
  %x = load i32, ptr %far
  store i32 %x, ptr %p
  ret void
}

; Data within bounds by a guard, and different in each thread. GEP flags alone
; prove nothing.
; CHECK-LABEL: arrays of guard
; CHECK-NEXT: a: 40 bytes{{$}}
; CHECK-NEXT:   1 writes 40 bytes, constant, uniform, in bounds{{$}}
; CHECK-NEXT:   1 reads 4 bytes, data{{$}}
; CHECK-NEXT:   1 reads 4 bytes, data, in bounds{{$}}
define ptx_kernel void @guard(ptr %p) {
entry:
  %a = alloca [10 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 40, i1 false)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr inbounds nuw i32, ptr %a, i32 %t
  %x = load i32, ptr %at
  store i32 %x, ptr %p
  %fits = icmp ult i32 %t, 10
  br i1 %fits, label %inside, label %exit
inside:
  %y = load i32, ptr %at
  store i32 %y, ptr %p
  br label %exit
exit:
  ret void
}

; What a pointer may point to is one array.
; CHECK-LABEL: arrays of joined
; CHECK-NEXT: a: 8 bytes, 2 variables{{$}}
; CHECK-NEXT:   2 writes 4 bytes, constant, uniform, in bounds{{$}}
; CHECK-NEXT:   1 reads 4 bytes, data, in bounds{{$}}
define ptx_kernel void @joined(ptr %p, i1 %c) {
  %a = alloca i32
  %b = alloca i32
  store i32 1, ptr %a
  store i32 2, ptr %b
  %q = select i1 %c, ptr %a, ptr %b
  %x = load i32, ptr %q
  store i32 %x, ptr %p
  ret void
}

; CHECK-LABEL: arrays of copied
; CHECK-NEXT: a: 64 bytes{{$}}
define ptx_kernel void @copied(ptr byval([16 x i32]) %in, ptr %p, i32 %n) {
  %a = alloca [16 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %in, i64 64, i1 false)
  %at = getelementptr i32, ptr %a, i32 %n
  %x = load i32, ptr %at
  store i32 %x, ptr %p
  ret void
}

; CHECK-LABEL: arrays of sine
; CHECK-NEXT: words: 28 bytes, slow path of sin and cos{{$}}
@__cudart_i2opi_f = internal addrspace(1) constant [6 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6]
define ptx_kernel void @sine(ptr %p, i32 %mantissa) {
entry:
  %words = alloca [7 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %carry = phi i64 [ 0, %entry ], [ %high, %loop ]
  %entryof = getelementptr i32, ptr addrspace(1) @__cudart_i2opi_f, i32 %i
  %word = load i32, ptr addrspace(1) %entryof
  %wide = zext i32 %word to i64
  %m = zext i32 %mantissa to i64
  %product = mul i64 %wide, %m
  %sum = add i64 %product, %carry
  %low = trunc i64 %sum to i32
  %to = getelementptr i32, ptr %words, i32 %i
  store i32 %low, ptr %to
  %high = lshr i64 %sum, 32
  %next = add i32 %i, 1
  %end = icmp eq i32 %next, 6
  br i1 %end, label %exit, label %loop
exit:
  %q = lshr i32 %mantissa, 30
  %from = getelementptr i32, ptr %words, i32 %q
  %x = load i32, ptr %from
  store i32 %x, ptr %p
  ret void
}

; CHECK-LABEL: arrays of obstacles
; CHECK-NEXT: called: {{.*}}, its address goes to a function
; CHECK-NEXT: asked: {{.*}}, its address goes to assembly
; CHECK-NEXT: stored: {{.*}}, its address is stored
; CHECK-NEXT: number: {{.*}}, its address is used as a number
; CHECK-NEXT: ordered: {{.*}}, it is accessed with volatile or atomic operations
; CHECK-NEXT:   1 writes
; CHECK-NEXT: mixed: {{.*}}, a pointer may point to it or to something else
; CHECK-NEXT:   1 writes
; CHECK-NEXT: sized: {{.*}}, its size, or that of a copy, is not a constant
define ptx_kernel void @obstacles(ptr %p, i1 %c, i64 %n) {
  %called = alloca [4 x i32]
  %asked = alloca [4 x i32]
  %stored = alloca [4 x i32]
  %number = alloca [4 x i32]
  %ordered = alloca [4 x i32]
  %mixed = alloca [4 x i32]
  %sized = alloca [4 x i32]
  call void @callee(ptr %called)
  call void asm "ld.u32 %r, [$0];", "l"(ptr %asked)
  store ptr %stored, ptr %p
  %as.number = ptrtoint ptr %number to i64
  store i64 %as.number, ptr %p
  store volatile i32 1, ptr %ordered
  %q = select i1 %c, ptr %p, ptr %mixed
  store i32 1, ptr %q
  call void @llvm.memset.p0.i64(ptr %sized, i8 0, i64 %n, i1 false)
  ret void
}

; A kernel without arrays has a title, another function none.
; CHECK: === arrays of nothing ===
; CHECK-NEXT: === arrays of callee ===
; CHECK-NEXT: mine (kernel.cu:7): 4 bytes
define ptx_kernel void @nothing() {
  ret void
}
define void @none() {
  ret void
}
define void @callee(ptr %p) !dbg !4 {
  %a = alloca i32
  #dbg_declare(ptr %a, !5, !DIExpression(), !6)
  %x = load i32, ptr %a
  store i32 %x, ptr %p
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "kernel.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "callee", file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocalVariable(name: "mine", scope: !4, file: !1, line: 7, type: !7)
!6 = !DILocation(line: 7, scope: !4)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
