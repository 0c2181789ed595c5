; A rewrite that its checker refuses, or cannot run, is not made, and compiling
; goes on. Here LLVM gives the idle atomic difference another name, by which the checker
; takes it for something else.
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem "-regdem-build=cap=32 rewrites=lower-arrays" -regdem-report=%t.jsonl -pass-remarks-missed=regdem %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID
; SAID: warning: regdem: 'differs': code without arrays stores other values; the kernel's arrays stay in local memory. This is a fault of RegDem: report it
; SAID: remark: {{.*}}'differs': 'a' (16 bytes a thread) may stay in local memory: the checker finds that the rewritten kernel does something else
; SAID-NOT: warning
; SAID: remark: {{.*}}'exchanges': 'a' (16 bytes a thread) may stay in local memory: the checker cannot run the code around it
; SAID-NOT: warning
; RUN: %report %t.jsonl differs "[a['fate'] for a in arrays] == ['local']" "'lower-arrays' not in rewrites"
; RUN: FileCheck %s < %t.ptx
; What has not been asked for is only a remark.
; RUN: %llc-regdem -regdem-ptxas=off -pass-remarks-missed=regdem %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=REMARK
; REMARK-NOT: warning
; REMARK: remark: {{.*}}'differs': 'a' {{.*}} does something else
; REMARK-NOT: warning
; RUN: FileCheck %s < %t.ptx
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry differs(
; CHECK: .local
; CHECK-LABEL: .entry exchanges(
; CHECK: .local
define ptx_kernel void @differs(ptr %p, i32 %i) {
  %a = alloca [4 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 16, i1 false)
  %low = and i32 %i, 3
  %to = getelementptr i32, ptr %a, i32 %low
  store i32 7, ptr %to
  %old = atomicrmw fsub ptr %p, float 0.0 monotonic
  %x = load i32, ptr %a
  store i32 %x, ptr %p
  ret void
}

define ptx_kernel void @exchanges(ptr %p, i32 %i) {
  %a = alloca [4 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 16, i1 false)
  %low = and i32 %i, 3
  %to = getelementptr i32, ptr %a, i32 %low
  store i32 7, ptr %to
  %old = cmpxchg ptr %p, i32 1, i32 2 monotonic monotonic
  %x = load i32, ptr %a
  store i32 %x, ptr %p
  ret void
}
