; A loop that is entered at two places is a fact of the kernel, also in a
; function that it calls; a loop with two exits or a back edge from its middle is
; not one.
; RUN: %regdem-opt --mcpu=sm_90 --print=facts %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel: two_entries
; CHECK: irreducible-flow: yes
define ptx_kernel void @two_entries(i1 %skip, i32 %n) {
entry:
  br i1 %skip, label %middle, label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %middle ]
  %done = icmp ugt i32 %i, %n
  br i1 %done, label %exit, label %middle
middle:
  %j = phi i32 [ 0, %entry ], [ %i, %head ]
  %next = add i32 %j, 1
  br label %head
exit:
  ret void
}

; CHECK-LABEL: kernel: two_exits
; CHECK: irreducible-flow: no
define ptx_kernel void @two_exits(i1 %again, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %middle ], [ %i, %late ]
  %done = icmp ugt i32 %i, %n
  br i1 %done, label %exit, label %middle
middle:
  %next = add i32 %i, 1
  br i1 %again, label %head, label %late
late:
  %leave = icmp eq i32 %i, 7
  br i1 %leave, label %exit, label %head
exit:
  ret void
}

; CHECK-LABEL: kernel: callee_has_two_entries
; CHECK: irreducible-flow: yes
define ptx_kernel void @callee_has_two_entries(i1 %skip, i32 %n) {
  call void @called(i1 %skip, i32 %n)
  ret void
}

define internal void @called(i1 %skip, i32 %n) noinline {
entry:
  br i1 %skip, label %middle, label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %middle ]
  %done = icmp ugt i32 %i, %n
  br i1 %done, label %exit, label %middle
middle:
  %j = phi i32 [ 0, %entry ], [ %i, %head ]
  %next = add i32 %j, 1
  br label %head
exit:
  ret void
}
