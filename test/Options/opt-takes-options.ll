; opt loads the plugin and takes its options: no pass has the name of one.
; RUN: %opt -load-pass-plugin=%plugin -regdem-max-regs=40 "-regdem-build=order=deep" -passes=verify %s -S | FileCheck %s

; CHECK: define ptx_kernel void @kernel()
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel() {
  ret void
}
