; Shared memory of a kernel is its own and that of every function it can call,
; with the padding between variables.
; RUN: %regdem-opt --mcpu=sm_90 --print=facts %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@own = internal addrspace(3) global [5 x i8] undef, align 1
@called = internal addrspace(3) global [100 x i64] undef, align 8
@other = internal addrspace(3) global [4000 x i8] undef, align 1
@dynamic = external addrspace(3) global [0 x i32], align 4

; CHECK-LABEL: kernel: own_only
; CHECK: static-shared: 5 bytes
; CHECK-NEXT: dynamic-shared: no
; CHECK-NEXT: calls: no
define ptx_kernel void @own_only() {
  store volatile i8 1, ptr addrspace(3) @own
  ret void
}

; CHECK-LABEL: kernel: with_callee
; CHECK: static-shared: 808 bytes
; CHECK-NEXT: dynamic-shared: no
; CHECK-NEXT: calls: yes
define ptx_kernel void @with_callee() {
  store volatile i8 1, ptr addrspace(3) @own
  call void @outer()
  ret void
}

; CHECK-LABEL: kernel: dynamic_in_callee
; CHECK: static-shared: 0 bytes
; CHECK-NEXT: dynamic-shared: yes
define ptx_kernel void @dynamic_in_callee() {
  call void @sized_at_launch()
  ret void
}

define void @outer() noinline {
  call void @inner()
  ret void
}

define void @inner() noinline {
  store volatile i64 1, ptr addrspace(3) @called
  ret void
}

define void @sized_at_launch() noinline {
  store volatile i32 1, ptr addrspace(3) @dynamic
  ret void
}

; CHECK-LABEL: kernel: large
; CHECK: static-shared: 4000 bytes
define ptx_kernel void @large() {
  store volatile i8 1, ptr addrspace(3) @other
  ret void
}
