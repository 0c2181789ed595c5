; Calls that bear on shared memory: through pointers, to other modules, to
; itself. The CUDA runtime's own functions are known to use none.
; RUN: %regdem-opt --mcpu=sm_90 --print=facts %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare i32 @vprintf(ptr, ptr)
declare void @elsewhere()

; CHECK-LABEL: kernel: prints
; CHECK: calls: yes
; CHECK-NEXT: indirect-calls: no
; CHECK-NEXT: external-calls: no
define ptx_kernel void @prints(ptr %text) {
  %r = call i32 @vprintf(ptr %text, ptr null)
  ret void
}

; CHECK-LABEL: kernel: external
; CHECK: external-calls: yes
define ptx_kernel void @external() {
  call void @elsewhere()
  ret void
}

; CHECK-LABEL: kernel: external_deep
; CHECK: external-calls: yes
; CHECK-NEXT: recursion: no
; CHECK-NEXT: shared-callees: no
define ptx_kernel void @external_deep() {
  call void @forward()
  ret void
}

define void @forward() noinline {
  call void @elsewhere()
  ret void
}

; CHECK-LABEL: kernel: indirect
; CHECK: indirect-calls: yes
define ptx_kernel void @indirect(ptr %f) {
  call void %f()
  ret void
}

; CHECK-LABEL: kernel: recursive
; CHECK: calls: yes
; CHECK-NEXT: indirect-calls: no
; CHECK-NEXT: external-calls: no
; CHECK-NEXT: recursion: yes
define ptx_kernel void @recursive(i32 %n) {
  call void @again(i32 %n)
  ret void
}

define void @again(i32 %n) noinline {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %done, label %more
more:
  %m = sub i32 %n, 1
  call void @again(i32 %m)
  ret void
done:
  ret void
}

; Two callees that call each other, but not the kernel.
; CHECK-LABEL: kernel: recursive_callees
; CHECK: external-calls: no
; CHECK-NEXT: recursion: yes
define ptx_kernel void @recursive_callees(i32 %n) {
  call void @even(i32 %n)
  ret void
}

define void @even(i32 %n) noinline {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %done, label %more
more:
  %m = sub i32 %n, 1
  call void @odd(i32 %m)
  ret void
done:
  ret void
}

define void @odd(i32 %n) noinline {
  %m = sub i32 %n, 1
  call void @even(i32 %m)
  ret void
}

; Another function's code may call it through the pointer.
; CHECK-LABEL: kernel: shares
; CHECK: external-calls: no
; CHECK-NEXT: recursion: no
; CHECK-NEXT: shared-callees: yes
define ptx_kernel void @shares() {
  call void @pointed_to()
  ret void
}

define void @pointed_to() noinline {
  ret void
}

define void @points(ptr %kept) noinline {
  store ptr @pointed_to, ptr %kept
  ret void
}
