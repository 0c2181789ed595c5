; The block size comes from reqntid, else maxntid, else the option, else a usual
; one is assumed.
; RUN: %regdem-opt --mcpu=sm_90 --print=facts %s | FileCheck %s --check-prefixes=CHECK,NONE
; RUN: %regdem-opt --mcpu=sm_90 --print=facts -regdem-block-size=96 %s | FileCheck %s --check-prefixes=CHECK,OPTION
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel: required
; CHECK: threads: 128 (reqntid)
; CHECK-NEXT: block: 8x4x4
define ptx_kernel void @required() "nvvm.reqntid"="8,4,4" {
  ret void
}

; Where both are stated, the required size is the stronger one.
; CHECK-LABEL: kernel: both
; CHECK: threads: 64 (reqntid)
; CHECK-NEXT: block: 64x1x1
define ptx_kernel void @both() "nvvm.reqntid"="64" "nvvm.maxntid"="512" {
  ret void
}

; The limit is one of the product, so that it says nothing about the shape.
; CHECK-LABEL: kernel: limited
; CHECK: threads: 256 (maxntid)
; CHECK-NEXT: min-blocks: 4
; CHECK-NEXT: max-regs: 48
define ptx_kernel void @limited() "nvvm.maxntid"="16,16" "nvvm.minctasm"="4" "nvvm.maxnreg"="48" {
  ret void
}

; CHECK-LABEL: kernel: open
; NONE: threads: 256 (assumed)
; OPTION: threads: 96 (option)
define ptx_kernel void @open() {
  ret void
}

; An attribute that says nothing is as good as none.
; CHECK-LABEL: kernel: no_thread
; NONE: threads: 256 (assumed)
; OPTION: threads: 96 (option)
define ptx_kernel void @no_thread() "nvvm.maxntid"="64,0" {
  ret void
}

; CHECK-LABEL: kernel: no_number
; NONE: threads: 256 (assumed)
; OPTION: threads: 96 (option)
define ptx_kernel void @no_number() "nvvm.reqntid"="many" {
  ret void
}

; Too many threads are not few ones.
; CHECK-LABEL: kernel: too_many
; CHECK: threads: 4294967295 (maxntid)
define ptx_kernel void @too_many() "nvvm.maxntid"="65536,65536" {
  ret void
}
