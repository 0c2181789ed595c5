; What asks LLVM for its settings calls no function when code is generated.
; REQUIRES: ptxas
; RUN: rm -f %t.jsonl
; RUN: %regdem-llc -mcpu=sm_90 -mattr=+ptx88 -regdem-max-regs=24 -regdem-report=%t.jsonl %s -o %t.s
; RUN: %report %t.jsonl asks "not estimated" "decision == 'cap'"
; RUN: grep '.maxnreg 24' %t.s
; RUN: %regdem-opt --mcpu=sm_90 --mattr=+ptx88 -regdem-max-regs=24 %s -o - | cmp - %t.s
target triple = "nvptx64-nvidia-cuda"

@name = private unnamed_addr constant [11 x i8] c"__CUDA_FTZ\00"

declare i32 @__nvvm_reflect(ptr)

define ptx_kernel void @asks(ptr addrspace(1) %p) "nvvm.maxntid"="128" {
  %ftz = call i32 @__nvvm_reflect(ptr @name)
  %is = icmp ne i32 %ftz, 0
  %value = select i1 %is, i32 1, i32 2
  store volatile i32 %value, ptr addrspace(1) %p
  ret void
}
