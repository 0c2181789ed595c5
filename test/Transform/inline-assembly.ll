; Inline assembly reads and writes demoted values in registers: each is
; reloaded before the statement that reads it and stored after the one that
; writes it.
; RUN: %mir "-regdem-build=cap=16 demote=belady:12" %s -o - | FileCheck %s
; CHECK: ST_i32 [[V:%[0-9]+]], 0, 0, 3, 32, [[BASE:%[0-9]+]], [[SLOT:[0-9]+]] ::
; CHECK: [[V]]:b32 = LD_i32 0, 0, 3, {{[0-9]+}}, 32, -1, [[BASE]], [[SLOT]] ::
; CHECK-NEXT: INLINEASM {{.*}}reguse:B32{{.*}} [[V]]
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @assembly() "nvvm.reqntid"="128" {
  %v0 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v1 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v2 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v3 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v4 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v5 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v6 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v7 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v8 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v9 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v10 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v11 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v12 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v13 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v14 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v15 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v16 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v17 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v18 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  %v19 = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v0)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v1)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v2)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v3)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v4)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v5)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v6)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v7)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v8)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v9)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v10)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v11)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v12)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v13)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v14)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v15)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v16)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v17)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v18)
  call void asm sideeffect "prefetch.global.L2 [$0];", "r"(i32 %v19)
  ret void
}
