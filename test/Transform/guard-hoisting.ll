; Without machine-sink, arithmetic that stands behind a guard, and is all that
; keeps more words alive until there, is computed ahead of it.
; RUN: sed -e 's/LEFT-OUT/"regdem-rewrites"="skip-machine-sink"/' %s > %t.out.ll
; RUN: sed -e 's/LEFT-OUT//' %s > %t.in.ll
; RUN: sed -e 's/LEFT-OUT/"regdem-trial"/' %s > %t.trial.ll
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %t.out.ll -o - | FileCheck %s --check-prefixes=ALL,HOISTED
; RUN: %llc-regdem -regdem-ptxas=off %t.in.ll -o - | FileCheck %s --check-prefixes=ALL,SUNK
; RUN: %llc-regdem -regdem-ptxas=off -stop-after=regdem %t.trial.ll -o - | FileCheck %s --check-prefix=TRIAL

; A trial tells of it.
; TRIAL: define ptx_kernel void @sums({{.*}} #[[IDLE:[0-9]+]]
; TRIAL: attributes #[[IDLE]] = {{.*}}"regdem-changed-by-skip-machine-sink"

; Each sum stands right after the shuffles that it reads.
; ALL-LABEL: .entry sums(
; ALL:          shfl.sync.down
; HOISTED:      shfl.sync.up
; HOISTED-NEXT: add.rn.f32
; HOISTED-NEXT: shfl.sync.down
; HOISTED-NEXT: shfl.sync.up
; HOISTED-NEXT: add.rn.f32
; HOISTED:      bra
; HOISTED-NOT:  add.rn.f32
; SUNK:         bra
; SUNK:         add.rn.f32
; SUNK:         add.rn.f32
; ALL:          st.volatile.global

; A sum that ptxas may fuse a product into stays where it is.
; ALL-LABEL: .entry stays(
; ALL:       mul.f32
; ALL:       bra
; ALL:       add.f32
; ALL:       st.volatile.global

; What ptxas may make a modifier of a product, or has done, stays as well.
; ALL-LABEL: .entry scaled(
; ALL:       mul.rn.f32
; ALL:       bra
; ALL:       mul.rn.f32 {{.*}}, 0f3F000000
; ALL:       st.volatile.global

; Values that live all through a loop cost nothing at the guard in it.
; ALL-LABEL: .entry through(
; ALL:       bra
; ALL:       xor.b32
; ALL:       st.volatile.global

; Nothing moves into a loop.
; ALL-LABEL: .entry into(
; ALL:       shfl.sync
; ALL:       bra
; ALL:       add.rn.f32
; ALL:       st.volatile.global

target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
declare float @llvm.nvvm.shfl.sync.up.f32(i32, float, i32, i32)

define ptx_kernel void @sums(float %me, i32 %n, ptr addrspace(1) %p) #0 {
  %right = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %me, i32 1, i32 31)
  %left = call float @llvm.nvvm.shfl.sync.up.f32(i32 -1, float %me, i32 1, i32 0)
  %right2 = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %me, i32 2, i32 31)
  %left2 = call float @llvm.nvvm.shfl.sync.up.f32(i32 -1, float %me, i32 2, i32 0)
  %inside = icmp slt i32 %n, 7
  br i1 %inside, label %store, label %exit
store: ; Too much for LLVM to compute ahead of the guard.
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  %sum = fadd float %left, %right
  store volatile float %sum, ptr addrspace(1) %p
  %sum2 = fadd float %left2, %right2
  store volatile float %sum2, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

define ptx_kernel void @stays(float %me, i32 %n, ptr addrspace(1) %p) #0 {
  %right = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %me, i32 1, i32 31)
  %left = call float @llvm.nvvm.shfl.sync.up.f32(i32 -1, float %me, i32 1, i32 0)
  %product = fmul contract float %me, %me
  store volatile float %product, ptr addrspace(1) %p
  %inside = icmp slt i32 %n, 7
  br i1 %inside, label %store, label %exit
store:
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  %both = fadd contract float %left, %product
  %sum = fadd contract float %both, %right
  store volatile float %sum, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

define ptx_kernel void @scaled(float %me, i32 %n, ptr addrspace(1) %p) #0 {
  %right = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %me, i32 1, i32 31)
  %left = call float @llvm.nvvm.shfl.sync.up.f32(i32 -1, float %me, i32 1, i32 0)
  %product = fmul float %me, %me
  store volatile float %product, ptr addrspace(1) %p
  %inside = icmp slt i32 %n, 7
  br i1 %inside, label %store, label %exit
store:
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  %half = fmul float %product, 5.0e-01
  %both = fadd float %left, %half
  %sum = fadd float %both, %right
  store volatile float %sum, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

define ptx_kernel void @through(i32 %a, i32 %n, ptr addrspace(1) %p) #0 {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %y = load volatile i32, ptr addrspace(1) %p
  br label %loop
loop:
  %i = load volatile i32, ptr addrspace(1) %p
  %inside = icmp slt i32 %i, 7
  br i1 %inside, label %store, label %next
store:
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  store volatile i32 0, ptr addrspace(1) %p
  %both = add i32 %x, %i
  %mixed = xor i32 %both, %y
  store volatile i32 %mixed, ptr addrspace(1) %p
  br label %next
next:
  %more = icmp slt i32 %i, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define ptx_kernel void @into(float %me, i32 %n, ptr addrspace(1) %p) #0 {
entry:
  br label %loop
loop:
  %i = load volatile i32, ptr addrspace(1) %p
  %right = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %me, i32 1, i32 31)
  %left = call float @llvm.nvvm.shfl.sync.up.f32(i32 -1, float %me, i32 1, i32 0)
  %more = icmp slt i32 %i, %n
  br i1 %more, label %loop, label %exit
exit:
  %sum = fadd float %left, %right
  store volatile float %sum, ptr addrspace(1) %p
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "regdem-settled"="{}" LEFT-OUT }
