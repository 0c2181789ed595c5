; Two kernels with the same code. Loop strength reduction gives each of the
; four rows that the loop walks a pointer of its own; machine sinking moves the
; sums to the block that stores them.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @lean(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i32 %pitch) #0 {
  BODY
}

define ptx_kernel void @plain(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i32 %pitch) #1 {
  BODY
}

attributes #0 = { "nvvm.maxntid"="128" SETTLED }
attributes #1 = { "nvvm.maxntid"="128" }
