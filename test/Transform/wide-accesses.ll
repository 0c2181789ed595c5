; Kernels with that rewrite access memory as widely as its alignment allows, and
; matrices in the address space that is known; others stay as they are.
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %s -o - | FileCheck %s --implicit-check-not=__regdem_aligned_elsewhere
; RUN: %llc -mcpu=sm_90 -mattr=+ptx88 %s -o %t.stock.s
; RUN: FileCheck %s --input-file %t.stock.s --check-prefix=STOCK
; RUN: %llc-regdem -regdem-mode=off %s -o %t.off.s
; RUN: cmp %t.stock.s %t.off.s

target triple = "nvptx64-nvidia-cuda"

@tile = external addrspace(3) global [0 x [160 x i8]], align 1

; CHECK-DAG: .extern .shared .align 16 .b8 __regdem_aligned_tile[];
; CHECK-DAG: .extern .shared .align 1 .b8 tile[];

; Another file's variable, of which it says the alignment.
@elsewhere = external addrspace(3) global [8 x i32], align 4

; CHECK-LABEL: .entry copies
; CHECK: ld.global.v2.b64
; CHECK-NEXT: st.global.v2.b64
; CHECK-COUNT-2: ld.global.v2.b64
; CHECK-COUNT-2: st.global.v2.b64
; CHECK: ret;
; STOCK-LABEL: .entry copies
; STOCK-NOT: .v2
; STOCK: ret;
define ptx_kernel void @copies(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %in.next = getelementptr i8, ptr addrspace(1) %in, i64 64
  %out.next = getelementptr i8, ptr addrspace(1) %out, i64 64
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 16 %in, i64 16, i1 false)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %out.next, ptr addrspace(1) align 16 %in.next, i64 32, i1 false)
  ret void
}

; Of 24 bytes, of less alignment, volatile.
; CHECK-LABEL: .entry no_copies
; CHECK-NOT: .v2
; CHECK: ret;
define ptx_kernel void @no_copies(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 16 %in, i64 24, i1 false)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 8 %in, i64 16, i1 false)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %out, ptr addrspace(1) align 16 %in, i64 16, i1 true)
  ret void
}

; Rows of 160 bytes: what is stored at a multiple of 16, 4 and 1 of them.
; CHECK-LABEL: .entry rows
; CHECK: st.shared.v2.b64
; CHECK: st.shared.b32
; CHECK-COUNT-4: st.shared.b8
; CHECK-NOT: st.shared
; CHECK: ret;
; STOCK-LABEL: .entry rows
; STOCK-COUNT-24: st.shared.b8
; STOCK-NOT: st.shared
; STOCK: ret;
define ptx_kernel void @rows(ptr addrspace(1) %in, i32 %row, i32 %x) #0 {
  %at = getelementptr [160 x i8], ptr addrspace(3) @tile, i32 %row, i32 32
  %word = getelementptr [160 x i8], ptr addrspace(3) @tile, i32 %row, i32 52
  %odd = getelementptr [160 x i8], ptr addrspace(3) @tile, i32 %row, i32 57
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) align 1 %at, ptr addrspace(1) align 16 %in, i64 16, i1 false)
  store i32 %x, ptr addrspace(3) %word, align 1
  store i32 %x, ptr addrspace(3) %odd, align 1
  ret void
}

; What is called goes on with the declaration that it has.
; CHECK-LABEL: .entry with_callee
; CHECK-NOT: __regdem_aligned_tile
; CHECK: ret;
define ptx_kernel void @with_callee(i32 %x) #0 {
  store i32 %x, ptr addrspace(3) @tile, align 1
  call void @callee()
  ret void
}
define void @callee() noinline {
  store i32 7, ptr addrspace(3) @tile, align 1
  ret void
}

; Of shared memory, of what the kernel was given, of what a thread has loaded.
; CHECK-LABEL: .entry matrices
; CHECK: wmma.load.a.sync.aligned.row.m16n16k16.shared.u8
; CHECK: wmma.load.a.sync.aligned.row.m16n16k16.global.u8
; CHECK: wmma.load.a.sync.aligned.row.m16n16k16.u8
; CHECK-COUNT-2: wmma.store.d.sync.aligned.row.m16n16k16.shared.s32
; CHECK: ret;
; STOCK-LABEL: .entry matrices
; STOCK-COUNT-3: wmma.load.a.sync.aligned.row.m16n16k16.u8
; STOCK-COUNT-2: wmma.store.d.sync.aligned.row.m16n16k16.s32
define ptx_kernel void @matrices(ptr %given, i32 %row) #0 {
entry:
  %at = getelementptr [160 x i8], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 %row
  %a = call { i32, i32 } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.u8.p0(ptr %at, i32 160)
  %b = call { i32, i32 } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.u8.p0(ptr %given, i32 160)
  %loaded = load ptr, ptr %given
  %c = call { i32, i32 } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.u8.p0(ptr %loaded, i32 160)
  %a0 = extractvalue { i32, i32 } %a, 0
  %b0 = extractvalue { i32, i32 } %b, 0
  %c0 = extractvalue { i32, i32 } %c, 0
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %to = phi ptr [ %at, %entry ], [ %to.next, %loop ]
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.s32.p0(ptr %to, i32 %a0, i32 %b0, i32 %c0, i32 %a0, i32 %b0, i32 %c0, i32 %a0, i32 %b0, i32 64)
  %to.next = getelementptr i8, ptr %to, i64 1024
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %row
  br i1 %more, label %loop, label %exit
exit:
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.s32.p0(ptr %at, i32 %a0, i32 %b0, i32 %c0, i32 %a0, i32 %b0, i32 %c0, i32 %a0, i32 %b0, i32 64)
  ret void
}

; CHECK-LABEL: .entry others
; CHECK: st.shared.b32
; CHECK-NEXT: st.shared.b32
; CHECK: ret;
define ptx_kernel void @others(i32 %x) #0 {
  %next = getelementptr i32, ptr addrspace(3) @elsewhere, i32 1
  store i32 %x, ptr addrspace(3) @elsewhere, align 4
  store i32 %x, ptr addrspace(3) %next, align 4
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "regdem-settled"="{\22recipe\22:\22rewrites=cheaper-accesses\22}" }
