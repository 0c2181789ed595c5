; Inline assembly may end a thread before it loads what is not there, so that no
; load comes ahead of it that did not.
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %s -o - | FileCheck %s

; CHECK-LABEL: .entry guarded(
; CHECK:     ld.global.nc
; CHECK-NOT: ld.global.nc
; CHECK:     exit;
; The block has another order: each difference stands after its load.
; CHECK:     ld.global.nc
; CHECK:     ld.global.nc
; CHECK:     sub
; CHECK:     ld.global.nc
; CHECK:     sub

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @guarded(ptr addrspace(1) %in, ptr addrspace(1) %out) "nvvm.reqntid"="128" "nvvm.maxnreg"="16" "regdem-settled"="{\22recipe\22:\22order=deep\22}" {
  %n = load i32, ptr addrspace(1) %in, !invariant.load !0
  call void asm sideeffect "{ .reg .pred p; setp.eq.s32 p, $0, 0; @p exit; }", "r"(i32 %n)
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i0 = mul i32 %id, 1000
  %w0 = sext i32 %i0 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %in, i64 %w0
  %v0 = load i32, ptr addrspace(1) %p0, !invariant.load !0
  %i1 = mul i32 %id, 1001
  %w1 = sext i32 %i1 to i64
  %p1 = getelementptr i32, ptr addrspace(1) %in, i64 %w1
  %v1 = load i32, ptr addrspace(1) %p1, !invariant.load !0
  %i2 = mul i32 %id, 1002
  %w2 = sext i32 %i2 to i64
  %p2 = getelementptr i32, ptr addrspace(1) %in, i64 %w2
  %v2 = load i32, ptr addrspace(1) %p2, !invariant.load !0
  %i3 = mul i32 %id, 1003
  %w3 = sext i32 %i3 to i64
  %p3 = getelementptr i32, ptr addrspace(1) %in, i64 %w3
  %v3 = load i32, ptr addrspace(1) %p3, !invariant.load !0
  %i4 = mul i32 %id, 1004
  %w4 = sext i32 %i4 to i64
  %p4 = getelementptr i32, ptr addrspace(1) %in, i64 %w4
  %v4 = load i32, ptr addrspace(1) %p4, !invariant.load !0
  %i5 = mul i32 %id, 1005
  %w5 = sext i32 %i5 to i64
  %p5 = getelementptr i32, ptr addrspace(1) %in, i64 %w5
  %v5 = load i32, ptr addrspace(1) %p5, !invariant.load !0
  %i6 = mul i32 %id, 1006
  %w6 = sext i32 %i6 to i64
  %p6 = getelementptr i32, ptr addrspace(1) %in, i64 %w6
  %v6 = load i32, ptr addrspace(1) %p6, !invariant.load !0
  %i7 = mul i32 %id, 1007
  %w7 = sext i32 %i7 to i64
  %p7 = getelementptr i32, ptr addrspace(1) %in, i64 %w7
  %v7 = load i32, ptr addrspace(1) %p7, !invariant.load !0
  %i8 = mul i32 %id, 1008
  %w8 = sext i32 %i8 to i64
  %p8 = getelementptr i32, ptr addrspace(1) %in, i64 %w8
  %v8 = load i32, ptr addrspace(1) %p8, !invariant.load !0
  %i9 = mul i32 %id, 1009
  %w9 = sext i32 %i9 to i64
  %p9 = getelementptr i32, ptr addrspace(1) %in, i64 %w9
  %v9 = load i32, ptr addrspace(1) %p9, !invariant.load !0
  %s1 = sub i32 %v0, %v1
  %s2 = sub i32 %s1, %v2
  %s3 = sub i32 %s2, %v3
  %s4 = sub i32 %s3, %v4
  %s5 = sub i32 %s4, %v5
  %s6 = sub i32 %s5, %v6
  %s7 = sub i32 %s6, %v7
  %s8 = sub i32 %s7, %v8
  %s9 = sub i32 %s8, %v9
  %result = sub i32 %s9, %n
  store i32 %result, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!0 = !{}
