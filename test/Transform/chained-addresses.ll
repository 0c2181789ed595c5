; Where a kernel is not to share parts of addresses, each is computed from the
; one that the block used last. Other kernels of the module are left alone.
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %s -o - | FileCheck %s
; RUN: %llc -mcpu=sm_90 -mattr=+ptx88 %s -o %t.stock.s
; RUN: %llc-regdem -regdem-mode=off %s -o %t.off.s
; RUN: cmp %t.stock.s %t.off.s
; RUN: %llc-regdem -regdem-ptxas=off -regdem-verify=false %s -o %t.unchecked.s
; RUN: %llc-regdem -regdem-ptxas=off %s -o %t.checked.s
; RUN: cmp %t.unchecked.s %t.checked.s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry chained
; CHECK: mul.wide.s32 [[STEP:%rd[0-9]+]], %r{{[0-9]+}}, 4;
; CHECK: add.s64 [[FIRST:%rd[0-9]+]], %rd{{[0-9]+}}, [[STEP]];
; CHECK: ld.global.nc.b32 %r{{[0-9]+}}, {{\[}}[[FIRST]]{{\]}};
; CHECK: mul.wide.s32 [[FAR:%rd[0-9]+]], %r{{[0-9]+}}, 20;
; CHECK: add.s64 [[SECOND:%rd[0-9]+]], [[FIRST]], [[FAR]];
; CHECK: ld.global.nc.b32 %r{{[0-9]+}}, {{\[}}[[SECOND]]{{\]}};
; CHECK: add.s64 [[THIRD:%rd[0-9]+]], [[SECOND]], [[STEP]];
; CHECK: ld.global.nc.b32 %r{{[0-9]+}}, {{\[}}[[THIRD]]+8{{\]}};

; CHECK-LABEL: .entry plain
; CHECK: ld.global.nc.b32 %r{{[0-9]+}}, {{\[}}[[FIRST:%rd[0-9]+]]{{\]}};
; CHECK-NOT: add.s64 %rd{{[0-9]+}}, [[FIRST]],
; CHECK: ret;

define ptx_kernel void @chained(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %length) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %site = zext nneg i32 %tid to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %site
  %once = sext i32 %length to i64
  %p1 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %once
  %v1 = load float, ptr addrspace(1) %p1
  %n6 = mul nsw i32 %length, 6
  %i6 = sext i32 %n6 to i64
  %p6 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %i6
  %v6 = load float, ptr addrspace(1) %p6
  %n7 = mul nsw i32 %length, 7
  %m7 = add nsw i32 %n7, 2
  %i7 = sext i32 %m7 to i64
  %p7 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %i7
  %v7 = load float, ptr addrspace(1) %p7
  %a = fadd float %v1, %v6
  %b = fadd float %a, %v7
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %site
  store float %b, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @plain(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %length) #1 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %site = zext nneg i32 %tid to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %site
  %once = sext i32 %length to i64
  %p1 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %once
  %v1 = load float, ptr addrspace(1) %p1
  %n6 = mul nsw i32 %length, 6
  %i6 = sext i32 %n6 to i64
  %p6 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %i6
  %v6 = load float, ptr addrspace(1) %p6
  %a = fadd float %v1, %v6
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %site
  store float %a, ptr addrspace(1) %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "nvvm.maxntid"="128" "regdem-settled"="{\22recipe\22:\22rewrites=chain-addresses\22}" }
attributes #1 = { "nvvm.maxntid"="128" }
