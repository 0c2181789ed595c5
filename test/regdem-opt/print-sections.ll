; One section an analysis and kernel, in the order asked for; -regdem-kernels
; picks the kernels.
; RUN: %regdem-opt --mcpu=sm_90 --print=pressure,facts %s | FileCheck %s --check-prefix=ALL
; RUN: %regdem-opt --mcpu=sm_90 --print=facts -regdem-kernels=sec %s | FileCheck %s --check-prefix=ONE
target triple = "nvptx64-nvidia-cuda"

; ALL: === pressure of first ===
; ALL-NEXT: kernel: 0 words{{$}}
; ALL-NEXT: bb.0: 0 words
; ALL-NEXT: === facts of first ===
; ALL-NEXT: kernel: first
; ALL: === pressure of second ===
; ALL: === facts of second ===
; ALL-NEXT: kernel: second
; ONE-NOT: first
; ONE: === facts of second ===
; ONE-NOT: first
define ptx_kernel void @first() "nvvm.maxntid"="64" {
  ret void
}

define ptx_kernel void @second() "nvvm.maxntid"="64" {
  ret void
}

; A function that is no kernel has no section.
; ALL-NOT: neither
define void @neither() {
  ret void
}
