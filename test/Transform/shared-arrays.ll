; Dynamically indexed arrays are placed in shared memory, if an access would take
; 16 selects or more: element i of thread t is at i * threads + t, so that threads
; never meet in a bank. Of smaller ones registers are selected.
; RUN: rm -f %t.jsonl
; RUN: %llc-regdem "-regdem-build=cap=64 rewrites=lower-arrays" -regdem-report=%t.jsonl %s -o %t.ptx
; RUN: FileCheck %s < %t.ptx
; RUN: %report %t.jsonl data "[a['fate'] for a in arrays] == ['shared']" "rewrites == 'lower-arrays'" "static_smem == 8192"
; RUN: %report %t.jsonl few "[a['fate'] for a in arrays] == ['registers']"
; RUN: %report %t.jsonl unstated "[a['fate'] for a in arrays] == ['registers']"
; RUN: %report %t.jsonl large "[a['fate'] for a in arrays] == ['local']" "'more elements' in arrays[0]['reason']"
; RUN: %report %t.jsonl outside "[a['fate'] for a in arrays] == ['local']" "rewrites == ''"
; RUN: %report %t.jsonl dynamic "[a['fate'] for a in arrays] == ['registers']"
; RUN: %report %t.jsonl calling "[a['fate'] for a in arrays] == ['shared']" "static_smem == 12288"
; RUN: %report %t.jsonl calls_much "[a['fate'] for a in arrays] == ['registers']"
; RUN: %report %t.jsonl counted "[a['fate'] for a in arrays] == ['registers']"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@buffer = external addrspace(3) global [0 x i32]

; CHECK-LABEL: .entry data(
; CHECK-NOT: .local
; CHECK: .shared .align 4 .b8 data_array0[8192];
; CHECK-NOT: .local
; CHECK: %tid.x
; CHECK-COUNT-16: st.shared
; CHECK: ld.shared
define ptx_kernel void @data(ptr %p, ptr %q) #0 {
  %a = alloca [16 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 64, i1 false)
  %i = load i32, ptr %q
  %low = and i32 %i, 15
  %to = getelementptr i32, ptr %a, i32 %low
  store i32 7, ptr %to
  %more = lshr i32 %i, 28
  %from = getelementptr i32, ptr %a, i32 %more
  %x = load i32, ptr %from
  store i32 %x, ptr %p
  ret void
}

; CHECK-LABEL: .entry few(
; CHECK-NOT: .shared
; CHECK: ret;
define ptx_kernel void @few(ptr %p, ptr %q) #0 {
  %a = alloca [4 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 16, i1 false)
  %i = load i32, ptr %q
  %low = and i32 %i, 3
  %to = getelementptr i32, ptr %a, i32 %low
  store i32 7, ptr %to
  %more = lshr i32 %i, 30
  %from = getelementptr i32, ptr %a, i32 %more
  %x = load i32, ptr %from
  store i32 %x, ptr %p
  ret void
}

; Nobody says how many threads a block has.
; CHECK-LABEL: .entry unstated(
; CHECK-NOT: .shared
; CHECK: ret;
define ptx_kernel void @unstated(ptr %p, ptr %q) {
  %a = alloca [16 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 64, i1 false)
  %i = load i32, ptr %q
  %low = and i32 %i, 15
  %to = getelementptr i32, ptr %a, i32 %low
  store i32 7, ptr %to
  %x = load i32, ptr %a
  store i32 %x, ptr %p
  ret void
}

; 1025 words of 128 threads are more than there is.
; CHECK-LABEL: .entry large(
; CHECK-NOT: .shared
; CHECK: ret;
define ptx_kernel void @large(ptr %p, ptr %q) #0 {
  %a = alloca [1025 x i32]
  %i = load i32, ptr %q
  %low = and i32 %i, 1023
  %to = getelementptr i32, ptr %a, i32 %low
  store i32 7, ptr %to
  %at = getelementptr i32, ptr %a, i32 1024
  store i32 8, ptr %at
  %shifted = lshr i32 %i, 22
  %from = getelementptr i32, ptr %a, i32 %shifted
  %x = load i32, ptr %from
  store i32 %x, ptr %p
  ret void
}

; An access might be to another thread's words.
; CHECK-LABEL: .entry outside(
; CHECK-NOT: .shared
; CHECK: ret;
define ptx_kernel void @outside(ptr %p, ptr %q) #0 {
  %a = alloca [16 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 64, i1 false)
  %i = load i32, ptr %q
  %to = getelementptr i32, ptr %a, i32 %i
  store i32 7, ptr %to
  %x = load i32, ptr %a
  store i32 %x, ptr %p
  ret void
}

; The launch gives it shared memory, nobody knows how much.
; CHECK-LABEL: .entry dynamic(
; CHECK-NOT: ld.shared
; CHECK: ret;
define ptx_kernel void @dynamic(ptr %p, ptr %q) #0 {
  %a = alloca [16 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 64, i1 false)
  %i = load i32, ptr %q
  %low = and i32 %i, 15
  %to = getelementptr i32, ptr %a, i32 %low
  store i32 7, ptr %to
  %x = load i32, ptr %a
  store i32 %x, ptr addrspace(3) @buffer
  ret void
}

; What it calls may have shared memory of its own, which counts.
; CHECK-LABEL: .entry calling(
; CHECK: .shared .align 4 .b8 calling_array0[8192];
; CHECK: ret;
define ptx_kernel void @calling(ptr %p, ptr %q) #0 {
  %a = alloca [16 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 64, i1 false)
  %i = call i32 @callee(ptr %q)
  %low = and i32 %i, 15
  %to = getelementptr i32, ptr %a, i32 %low
  store i32 9, ptr %to
  %high = lshr i32 %i, 28
  %from = getelementptr i32, ptr %a, i32 %high
  %v = load i32, ptr %from
  store i32 %v, ptr %p
  ret void
}

@small = internal addrspace(3) global [1024 x i32] poison
@greedy = internal addrspace(3) global [11000 x i32] poison

define i32 @callee(ptr %q) noinline {
  %i = load i32, ptr %q
  %at = getelementptr [1024 x i32], ptr addrspace(3) @small, i32 0, i32 %i
  %x = load volatile i32, ptr addrspace(3) %at
  ret i32 %x
}

; CHECK-LABEL: .entry calls_much(
; CHECK-NOT: .shared
; CHECK: ret;
define ptx_kernel void @calls_much(ptr %p, ptr %q) #0 {
  %a = alloca [16 x i32]
  call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 64, i1 false)
  %i = call i32 @greedy_callee(ptr %q)
  %low = and i32 %i, 15
  %to = getelementptr i32, ptr %a, i32 %low
  store i32 9, ptr %to
  %high = lshr i32 %i, 28
  %from = getelementptr i32, ptr %a, i32 %high
  %v = load i32, ptr %from
  store i32 %v, ptr %p
  ret void
}

define i32 @greedy_callee(ptr %q) noinline {
  %i = load i32, ptr %q
  %at = getelementptr [11000 x i32], ptr addrspace(3) @greedy, i32 0, i32 %i
  %x = load volatile i32, ptr addrspace(3) %at
  ret i32 %x
}

; A counter's places become known.
; CHECK-LABEL: .entry counted(
; CHECK-NOT: .shared
; CHECK: ret;
define ptx_kernel void @counted(ptr %p, ptr %q) #0 {
  %a = alloca [5 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %p, i64 20, i1 false)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr inbounds i32, ptr %a, i32 %i
  %x = load i32, ptr %at
  %y = mul i32 %x, 7
  store i32 %y, ptr %at
  %next = add i32 %i, 1
  %more = icmp ne i32 %next, 5
  br i1 %more, label %loop, label %done
done:
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %q, ptr align 4 %a, i64 20, i1 false)
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" }
