; A 64-bit product of two words that instruction selection does not see as such
; becomes one, in kernels with that rewrite; other products stay as they are.
; RUN: %llc-regdem -regdem-ptxas=off -verify-machineinstrs %s -o - | FileCheck %s
; RUN: %llc -mcpu=sm_90 -mattr=+ptx88 %s -o %t.stock.s
; RUN: FileCheck %s --input-file %t.stock.s --check-prefix=STOCK
; RUN: %llc-regdem -regdem-mode=off %s -o %t.off.s
; RUN: cmp %t.stock.s %t.off.s

target triple = "nvptx64-nvidia-cuda"

; Halves of a pair, a mask of both, an extension, a constant.
; CHECK-LABEL: .entry words
; CHECK-NOT: mul.lo.s64
; CHECK-COUNT-4: mul.wide.u32
; CHECK-NOT: mul.wide.u32
; CHECK: ret;
; STOCK-LABEL: .entry words
; STOCK-COUNT-4: mul.lo.s64
define ptx_kernel void @words(ptr %out, i64 %x, i64 %y, i32 %z) #0 {
  %upper = lshr i64 %x, 32
  %lower = and i64 %y, 4294967295
  %both = xor i64 %upper, %lower
  %extended = zext i32 %z to i64
  %a = mul i64 %upper, 3528531795
  %b = mul i64 %lower, %upper
  %c = mul i64 %extended, %both
  %d = mul i64 %both, %both
  %a.at = getelementptr i64, ptr %out, i64 1
  %b.at = getelementptr i64, ptr %out, i64 2
  %c.at = getelementptr i64, ptr %out, i64 3
  store i64 %a, ptr %out
  store i64 %b, ptr %a.at
  store i64 %c, ptr %b.at
  store i64 %d, ptr %c.at
  ret void
}

; 33 bits, a sign, a constant of 34 bits: no product of two words. The last is
; one that instruction selection sees.
; CHECK-LABEL: .entry others
; CHECK-COUNT-3: mul.lo.s64
; CHECK-NOT: mul.lo.s64
; CHECK: mul.wide.u32
; CHECK: ret;
define ptx_kernel void @others(ptr %out, i64 %x, i64 %y, i32 %z) #1 {
  %upper = lshr i64 %x, 31
  %lower = and i64 %y, 4294967295
  %signed = sext i32 %z to i64
  %extended = zext i32 %z to i64
  %a = mul i64 %upper, 3528531795
  %b = mul i64 %lower, %signed
  %c = mul i64 %lower, 12345678901
  %d = mul i64 %extended, %extended
  %a.at = getelementptr i64, ptr %out, i64 1
  %b.at = getelementptr i64, ptr %out, i64 2
  %c.at = getelementptr i64, ptr %out, i64 3
  store i64 %a, ptr %out
  store i64 %b, ptr %a.at
  store i64 %c, ptr %b.at
  store i64 %d, ptr %c.at
  ret void
}

attributes #0 = { "nvvm.maxntid"="128" "regdem-settled"="{\22recipe\22:\22rewrites=wide-products\22}" }
attributes #1 = { "nvvm.maxntid"="128" "regdem-settled"="{\22recipe\22:\22rewrites=wide-products\22}" }
