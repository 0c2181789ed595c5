; Elements of one or two bytes that data index have a register each, or are in
; shared memory, as those of words are.
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem "-regdem-build=cap=64 rewrites=lower-arrays" -regdem-report=%t.jsonl %s -o %t.ptx
; RUN: FileCheck %s < %t.ptx
; RUN: %report %t.jsonl shorts "[a['fate'] for a in arrays] == ['registers']" "rewrites == 'lower-arrays'"
; RUN: %report %t.jsonl table "[a['fate'] for a in arrays] == ['shared']"
; RUN: %report %t.jsonl halves "[a['fate'] for a in arrays] == ['registers']"
; RUN: %report %t.jsonl outside "[a['fate'] for a in arrays] == ['local']" "rewrites == ''"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Each of four is written or stays, and three selects read one.
; CHECK-LABEL: .entry shorts(
; CHECK-NOT: .local
; CHECK-COUNT-7: selp
; CHECK-NOT: selp
; CHECK: ret;
define ptx_kernel void @shorts(ptr %p, ptr %q) #0 {
  %a = alloca [4 x i16]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 8, i1 false)
  %i = load i32, ptr %q
  %low = and i32 %i, 3
  %to = getelementptr i16, ptr %a, i32 %low
  store i16 7, ptr %to
  %more = lshr i32 %i, 30
  %from = getelementptr i16, ptr %a, i32 %more
  %x = load i16, ptr %from
  store i16 %x, ptr %p
  ret void
}

; CHECK-LABEL: .entry table(
; CHECK-NOT: .local
; CHECK: ret;
define ptx_kernel void @table(ptr %p, ptr %q) #0 {
  %a = alloca [64 x i8]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 64, i1 false)
  %i = load i32, ptr %q
  %low = and i32 %i, 63
  %to = getelementptr i8, ptr %a, i32 %low
  store i8 7, ptr %to
  %more = lshr i32 %i, 26
  %from = getelementptr i8, ptr %a, i32 %more
  %x = load i8, ptr %from
  store i8 %x, ptr %p
  ret void
}

; CHECK-LABEL: .entry outside(
; CHECK: .local
; CHECK: ret;
define ptx_kernel void @outside(ptr %p, ptr %q) #0 {
  %a = alloca [8 x i16]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 16, i1 false)
  %i = load i32, ptr %q
  %at = getelementptr i16, ptr %a, i32 %i
  %x = load i16, ptr %at
  store i16 %x, ptr %p
  ret void
}

; Halves go into an array of bytes: LLVM 22 selects no instruction for one as
; <2 x i8>.
; CHECK-LABEL: .entry halves(
; CHECK-NOT: .local
; CHECK: ret;
define ptx_kernel void @halves(ptr %p, ptr %q) #0 {
  %a = alloca [4 x i8]
  %i = load i32, ptr %q
  %number = sitofp i32 %i to half
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 4, i1 false)
  %upper = lshr i32 %i, 4
  %low = uitofp i32 %upper to half
  store half %low, ptr %a
  %high = getelementptr i8, ptr %a, i32 2
  store half %number, ptr %high
  %from = and i32 %i, 3
  %there = getelementptr i8, ptr %a, i32 %from
  %x = load i8, ptr %there
  store i8 %x, ptr %p
  ret void
}
attributes #0 = { "nvvm.maxntid"="128" }
