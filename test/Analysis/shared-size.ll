; Reading the size of dynamic shared memory is another fact than reading that of
; all, by intrinsics, assembly and callees alike.
; RUN: %regdem-opt --mcpu=sm_90 --mattr=+ptx81 --print=facts %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel: dynamic
; CHECK: reads-dynamic-size: yes
; CHECK-NEXT: reads-total-size: no
define ptx_kernel void @dynamic(ptr %p) {
  %n = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
  store i32 %n, ptr %p
  ret void
}

; CHECK-LABEL: kernel: total
; CHECK: reads-dynamic-size: no
; CHECK-NEXT: reads-total-size: yes
define ptx_kernel void @total(ptr %p) {
  %n = call i32 @llvm.nvvm.read.ptx.sreg.total_smem_size()
  store i32 %n, ptr %p
  ret void
}

; CHECK-LABEL: kernel: aggregate
; CHECK: reads-dynamic-size: no
; CHECK-NEXT: reads-total-size: yes
define ptx_kernel void @aggregate(ptr %p) {
  %n = call i32 @llvm.nvvm.read.ptx.sreg.aggr_smem_size()
  store i32 %n, ptr %p
  ret void
}

define internal i32 @ask() noinline {
  %n = call i32 asm "mov.u32 $0, %total_smem_size;", "=r"()
  ret i32 %n
}

; CHECK-LABEL: kernel: asks
; CHECK: reads-dynamic-size: no
; CHECK-NEXT: reads-total-size: yes
define ptx_kernel void @asks(ptr %p) {
  %n = call i32 @ask()
  store i32 %n, ptr %p
  ret void
}

; CHECK-LABEL: kernel: asksForDynamic
; CHECK: reads-dynamic-size: yes
; CHECK-NEXT: reads-total-size: no
define ptx_kernel void @asksForDynamic(ptr %p) {
  %n = call i32 asm "mov.u32 $0, %dynamic_smem_size;", "=r"()
  store i32 %n, ptr %p
  ret void
}
