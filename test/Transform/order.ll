; A block whose values exceed the cap gets the order that is settled for its
; kernel; what the block computes, and other blocks, stay.
; RUN: sed -e 's/CAP/16/' -e 's/SETTLED/"regdem-settled"="{\\22recipe\\22:\\22order=near\\22}"/' %s > %t.near.ll
; RUN: sed -e 's/CAP/16/' -e 's/SETTLED/"regdem-settled"="{\\22recipe\\22:\\22order=deep\\22}"/' %s > %t.deep.ll
; RUN: sed -e 's/CAP/16/' -e 's/SETTLED/"regdem-settled"="{\\22recipe\\22:\\22order=forward\\22}"/' %s > %t.forward.ll
; RUN: sed -e 's/CAP/16/' -e 's/SETTLED/"regdem-settled"="{}"/' %s > %t.source.ll
; RUN: sed -e 's/CAP/64/' -e 's/SETTLED/"regdem-settled"="{\\22recipe\\22:\\22order=near\\22}"/' %s > %t.wide.ll
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs -regdem-report=%t.jsonl %t.near.ll -o - | FileCheck %s --check-prefix=ORDERED
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %t.deep.ll -o - | FileCheck %s --check-prefix=ORDERED
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %t.forward.ll -o - | FileCheck %s --check-prefix=ORDERED
; RUN: %llc-regdem -regdem-ptxas=off %t.source.ll -o - | FileCheck %s --check-prefix=SOURCE
; RUN: %llc-regdem -regdem-ptxas=off %t.wide.ll -o - | FileCheck %s --check-prefix=SOURCE
; RUN: %llc-regdem -regdem-ptxas=off -regdem-mode=off %t.near.ll -o - | FileCheck %s --check-prefix=SOURCE
; RUN: sed -e 's/= fmul contract float \(%%s15\), %%s15/= call float asm "mul.f32 $0, $1, $1;", "=f,f"(float \1)/' %t.near.ll > %t.asm.ll
; RUN: %llc-regdem -regdem-ptxas=off %t.asm.ll -o - | FileCheck %s --check-prefix=ORDERED
; RUN: sed -e 's/fadd contract float %%product, %%v0/fmul contract float %%product, 5.0e-01/' %t.near.ll > %t.scaled.ll
; RUN: %llc-regdem -regdem-ptxas=off %t.scaled.ll -o - | FileCheck %s --check-prefix=ORDERED
; RUN: %report %t.jsonl sum "order == 'near'"

; Each difference stands right after the load that it waits for.
; ORDERED-LABEL: .entry sum(
; ORDERED:      ld.global
; ORDERED:      ld.global
; ORDERED-NEXT: sub
; ORDERED-NEXT: ld.global
; ORDERED-NEXT: sub
; ORDERED-NEXT: ld.global

; A product that ptxas may fuse into a sum, or scale for one of its readers,
; keeps its place, and with it the whole block.
; ORDERED-LABEL: .entry product(
; ORDERED-COUNT-16: ld.global
; ORDERED: sub
; ORDERED: mul.f32

; SOURCE-LABEL: .entry sum(
; SOURCE-COUNT-16: ld.global
; SOURCE: sub

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out) "nvvm.reqntid"="128" "nvvm.maxnreg"="CAP" SETTLED {
  %p0 = getelementptr float, ptr addrspace(1) %in, i64 0
  %v0 = load float, ptr addrspace(1) %p0
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 64
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %in, i64 128
  %v2 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %in, i64 192
  %v3 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %in, i64 256
  %v4 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %in, i64 320
  %v5 = load float, ptr addrspace(1) %p5
  %p6 = getelementptr float, ptr addrspace(1) %in, i64 384
  %v6 = load float, ptr addrspace(1) %p6
  %p7 = getelementptr float, ptr addrspace(1) %in, i64 448
  %v7 = load float, ptr addrspace(1) %p7
  %p8 = getelementptr float, ptr addrspace(1) %in, i64 512
  %v8 = load float, ptr addrspace(1) %p8
  %p9 = getelementptr float, ptr addrspace(1) %in, i64 576
  %v9 = load float, ptr addrspace(1) %p9
  %p10 = getelementptr float, ptr addrspace(1) %in, i64 640
  %v10 = load float, ptr addrspace(1) %p10
  %p11 = getelementptr float, ptr addrspace(1) %in, i64 704
  %v11 = load float, ptr addrspace(1) %p11
  %p12 = getelementptr float, ptr addrspace(1) %in, i64 768
  %v12 = load float, ptr addrspace(1) %p12
  %p13 = getelementptr float, ptr addrspace(1) %in, i64 832
  %v13 = load float, ptr addrspace(1) %p13
  %p14 = getelementptr float, ptr addrspace(1) %in, i64 896
  %v14 = load float, ptr addrspace(1) %p14
  %p15 = getelementptr float, ptr addrspace(1) %in, i64 960
  %v15 = load float, ptr addrspace(1) %p15
  %s1 = fsub float %v0, %v1
  %s2 = fsub float %s1, %v2
  %s3 = fsub float %s2, %v3
  %s4 = fsub float %s3, %v4
  %s5 = fsub float %s4, %v5
  %s6 = fsub float %s5, %v6
  %s7 = fsub float %s6, %v7
  %s8 = fsub float %s7, %v8
  %s9 = fsub float %s8, %v9
  %s10 = fsub float %s9, %v10
  %s11 = fsub float %s10, %v11
  %s12 = fsub float %s11, %v12
  %s13 = fsub float %s12, %v13
  %s14 = fsub float %s13, %v14
  %s15 = fsub float %s14, %v15
  store float %s15, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @product(ptr addrspace(1) %in, ptr addrspace(1) %out, i1 %more) "nvvm.reqntid"="128" "nvvm.maxnreg"="CAP" SETTLED {
  %p0 = getelementptr float, ptr addrspace(1) %in, i64 0
  %v0 = load float, ptr addrspace(1) %p0
  %p1 = getelementptr float, ptr addrspace(1) %in, i64 64
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %in, i64 128
  %v2 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %in, i64 192
  %v3 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %in, i64 256
  %v4 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %in, i64 320
  %v5 = load float, ptr addrspace(1) %p5
  %p6 = getelementptr float, ptr addrspace(1) %in, i64 384
  %v6 = load float, ptr addrspace(1) %p6
  %p7 = getelementptr float, ptr addrspace(1) %in, i64 448
  %v7 = load float, ptr addrspace(1) %p7
  %p8 = getelementptr float, ptr addrspace(1) %in, i64 512
  %v8 = load float, ptr addrspace(1) %p8
  %p9 = getelementptr float, ptr addrspace(1) %in, i64 576
  %v9 = load float, ptr addrspace(1) %p9
  %p10 = getelementptr float, ptr addrspace(1) %in, i64 640
  %v10 = load float, ptr addrspace(1) %p10
  %p11 = getelementptr float, ptr addrspace(1) %in, i64 704
  %v11 = load float, ptr addrspace(1) %p11
  %p12 = getelementptr float, ptr addrspace(1) %in, i64 768
  %v12 = load float, ptr addrspace(1) %p12
  %p13 = getelementptr float, ptr addrspace(1) %in, i64 832
  %v13 = load float, ptr addrspace(1) %p13
  %p14 = getelementptr float, ptr addrspace(1) %in, i64 896
  %v14 = load float, ptr addrspace(1) %p14
  %p15 = getelementptr float, ptr addrspace(1) %in, i64 960
  %v15 = load float, ptr addrspace(1) %p15
  %s1 = fsub float %v0, %v1
  %s2 = fsub float %s1, %v2
  %s3 = fsub float %s2, %v3
  %s4 = fsub float %s3, %v4
  %s5 = fsub float %s4, %v5
  %s6 = fsub float %s5, %v6
  %s7 = fsub float %s6, %v7
  %s8 = fsub float %s7, %v8
  %s9 = fsub float %s8, %v9
  %s10 = fsub float %s9, %v10
  %s11 = fsub float %s10, %v11
  %s12 = fsub float %s11, %v12
  %s13 = fsub float %s12, %v13
  %s14 = fsub float %s13, %v14
  %s15 = fsub float %s14, %v15
  %product = fmul contract float %s15, %s15
  br i1 %more, label %sum, label %end
sum:
  %whole = fadd contract float %product, %v0
  br label %end
end:
  %result = phi float [ %product, %0 ], [ %whole, %sum ]
  store float %result, ptr addrspace(1) %out
  ret void
}
