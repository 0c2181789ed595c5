; Blocks of a cluster wait for each other, whether the kernel or a launch says
; that they come in clusters. How many a cluster has at most says nothing.
; RUN: %regdem-opt --mcpu=sm_90 --print=facts %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel: stated
; CHECK: cooperative: yes
define ptx_kernel void @stated() "nvvm.cluster_dim"="2,1,1" {
  ret void
}

; CHECK-LABEL: kernel: alone
; CHECK: cooperative: no
define ptx_kernel void @alone() "nvvm.cluster_dim"="1" "nvvm.maxclusterrank"="8" {
  ret void
}

; CHECK-LABEL: kernel: waits
; CHECK: cooperative: yes
define ptx_kernel void @waits() {
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  ret void
}

; CHECK-LABEL: kernel: asks
; CHECK: cooperative: yes
define ptx_kernel void @asks(ptr %p) {
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  store i32 %rank, ptr %p
  ret void
}

; CHECK-LABEL: kernel: assembles
; CHECK: cooperative: yes
define ptx_kernel void @assembles() {
  call void asm sideeffect "barrier.cluster.arrive;", ""()
  ret void
}

declare void @llvm.nvvm.barrier.cluster.arrive()
declare void @llvm.nvvm.barrier.cluster.wait()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
