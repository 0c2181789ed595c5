; Kernels whose host stub the linker may take from another file, and kernels that
; use variables whose values may not be that file's.
; RUN: %regdem-opt --mcpu=sm_90 --print=facts %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@Set = addrspace(4) externally_initialized constant i32 0
@Counter = addrspace(1) externally_initialized global i32 0
@Table = internal addrspace(4) constant [2 x i32] [i32 1, i32 2]
@llvm.compiler.used = appending global [2 x ptr] [ptr addrspacecast (ptr addrspace(4) @Set to ptr), ptr addrspacecast (ptr addrspace(1) @Counter to ptr)], section "llvm.metadata"

$_Z1tIiEvPT_ = comdat any
$_ZL1sPi = comdat any
$_ZN5space5innerL1sEPi = comdat any
$_ZN5spaceL1tIiEEvPT_ = comdat any
$_ZN5space1tIiEEvPT_ = comdat any
$_ZN12_GLOBAL__N_11tIiEEvPT_ = comdat any

; CHECK-LABEL: kernel: _Z1tIiEvPT_
; CHECK: may-share-stub: yes
; CHECK: own-variables: yes
define ptx_kernel void @_Z1tIiEvPT_(ptr %p) comdat {
  %v = load i32, ptr addrspace(4) @Set
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: kernel: _ZL1sPi
; CHECK: may-share-stub: no
; CHECK: own-variables: yes
define ptx_kernel void @_ZL1sPi(ptr %p) comdat {
  call void @count()
  ret void
}

define internal void @count() noinline {
  store i32 1, ptr addrspacecast (ptr addrspace(1) @Counter to ptr)
  ret void
}

; CHECK-LABEL: kernel: _ZN5space5innerL1sEPi
; CHECK: may-share-stub: no
; CHECK: own-variables: no
define ptx_kernel void @_ZN5space5innerL1sEPi(ptr %p) comdat {
  %v = load i32, ptr addrspace(4) @Table
  store i32 %v, ptr %p
  ret void
}

; CHECK-LABEL: kernel: _ZN5spaceL1tIiEEvPT_
; CHECK: may-share-stub: no
define ptx_kernel void @_ZN5spaceL1tIiEEvPT_(ptr %p) comdat {
  ret void
}

; CHECK-LABEL: kernel: _ZN5space1tIiEEvPT_
; CHECK: may-share-stub: yes
; CHECK: own-variables: no
define ptx_kernel void @_ZN5space1tIiEEvPT_(ptr %p) comdat {
  ret void
}

; CHECK-LABEL: kernel: _ZN12_GLOBAL__N_11tIiEEvPT_
; CHECK: may-share-stub: no
define ptx_kernel void @_ZN12_GLOBAL__N_11tIiEEvPT_(ptr %p) comdat {
  ret void
}

; CHECK-LABEL: kernel: plain
; CHECK: may-share-stub: no
define ptx_kernel void @plain(ptr %p) {
  ret void
}

; CHECK-LABEL: kernel: weak
; CHECK: may-share-stub: yes
define weak ptx_kernel void @weak(ptr %p) {
  ret void
}
