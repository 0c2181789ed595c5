; Blocks may wait for each other in a loop that a thread leaves by what it reads
; there: in a grid's barrier that a program makes itself, say.
; RUN: %regdem-opt --mcpu=sm_90 --print=facts %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel: barrier_of_grid
; CHECK: blocks-may-wait: yes
define ptx_kernel void @barrier_of_grid(ptr addrspace(1) %arrived, i32 %all) {
entry:
  %old = atomicrmw add ptr addrspace(1) %arrived, i32 1 seq_cst
  br label %spin
spin:
  %now = load volatile i32, ptr addrspace(1) %arrived
  %wait = icmp slt i32 %now, %all
  br i1 %wait, label %spin, label %exit
exit:
  ret void
}

; What is read chooses between values of which one ends the loop.
; CHECK-LABEL: kernel: by_flag
; CHECK: blocks-may-wait: yes
define ptx_kernel void @by_flag(ptr addrspace(1) %flag) {
entry:
  br label %spin
spin:
  %now = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %isset = icmp ne i32 %now, 0
  br i1 %isset, label %set, label %join
set:
  br label %join
join:
  %done = phi i1 [ false, %spin ], [ true, %set ]
  br i1 %done, label %exit, label %spin
exit:
  ret void
}

; What is read decides whether the exit is reached, which only counts.
; CHECK-LABEL: kernel: polls_counted
; CHECK: blocks-may-wait: yes
define ptx_kernel void @polls_counted(ptr addrspace(1) %arrived, i32 %all) {
entry:
  br label %poll
poll:
  %polls = phi i32 [ 0, %entry ], [ %next, %more ]
  %now = load volatile i32, ptr addrspace(1) %arrived
  %wait = icmp slt i32 %now, %all
  br i1 %wait, label %more, label %arrive
arrive:
  %enough = icmp ugt i32 %polls, 8
  br i1 %enough, label %exit, label %more
more:
  %next = add i32 %polls, 1
  br label %poll
exit:
  ret void
}

; CHECK-LABEL: kernel: in_assembly
; CHECK: blocks-may-wait: yes
define ptx_kernel void @in_assembly(ptr addrspace(1) %flag) {
  call void asm sideeffect "spin: ld.acquire.gpu.u32 %r, [$0]; setp.eq.u32 %p, %r, 0; @%p bra spin;", "l,~{memory}"(ptr addrspace(1) %flag)
  ret void
}

; CHECK-LABEL: kernel: in_callee
; CHECK: blocks-may-wait: yes
define ptx_kernel void @in_callee(ptr addrspace(1) %flag) {
  call void @wait(ptr addrspace(1) %flag)
  ret void
}

define void @wait(ptr addrspace(1) %flag) noinline {
entry:
  br label %spin
spin:
  %now = cmpxchg ptr addrspace(1) %flag, i32 1, i32 0 seq_cst seq_cst
  %won = extractvalue { i32, i1 } %now, 1
  br i1 %won, label %exit, label %spin
exit:
  ret void
}

; Left by a callee's result.
; CHECK-LABEL: kernel: by_callee
; CHECK: blocks-may-wait: yes
define ptx_kernel void @by_callee(ptr addrspace(1) %flag) {
entry:
  br label %spin
spin:
  %now = call i1 @is_set(ptr addrspace(1) %flag)
  br i1 %now, label %exit, label %spin
exit:
  ret void
}

define i1 @is_set(ptr addrspace(1) %flag) noinline {
  %now = load volatile i32, ptr addrspace(1) %flag
  %set = icmp ne i32 %now, 0
  ret i1 %set
}

; CHECK-LABEL: kernel: by_assembly
; CHECK: blocks-may-wait: yes
define ptx_kernel void @by_assembly(ptr addrspace(1) %flag) {
entry:
  br label %spin
spin:
  %now = call i32 asm "ld.volatile.global.u32 $0, [$1];", "=r,l"(ptr addrspace(1) %flag) memory(none)
  %isset = icmp ne i32 %now, 0
  br i1 %isset, label %exit, label %spin
exit:
  ret void
}

; A loop by itself leaves by nothing that it reads.
; CHECK-LABEL: kernel: sum
; CHECK: blocks-may-wait: no
define ptx_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr float, ptr addrspace(1) %in, i32 %i
  %v = load float, ptr addrspace(1) %p
  %t = fadd float %s, %v
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %old = atomicrmw fadd ptr addrspace(1) %out, float %t monotonic
  ret void
}

; A branch on what is read that the number of iterations does not depend on.
; CHECK-LABEL: kernel: count
; CHECK: blocks-may-wait: no
define ptx_kernel void @count(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %join ]
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %isset = icmp ne i32 %v, 0
  br i1 %isset, label %set, label %join
set:
  %old = atomicrmw add ptr addrspace(1) %out, i32 1 monotonic
  br label %join
join:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
