; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What Numba-CUDA 0.30.4 hands to libNVVM for y[i] = exp((x[i] + x[i + 1]) / 2),
; launch bounds of 256 threads, with names cut short.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"

@"NumbaEnv" = common global ptr null
define void @"mean"(ptr %"x.0", ptr %"x.1", i64 %"x.2", i64 %"x.3", ptr %"x.4", i64 %"x.5.0", i64 %"x.6.0", ptr %"y.0", ptr %"y.1", i64 %"y.2", i64 %"y.3", ptr %"y.4", i64 %"y.5.0", i64 %"y.6.0")
{
entry:
  %"inserted.meminfo" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} undef, ptr %"x.0", 0
  %"inserted.parent" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.meminfo", ptr %"x.1", 1
  %"inserted.nitems" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.parent", i64 %"x.2", 2
  %"inserted.itemsize" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.nitems", i64 %"x.3", 3
  %"inserted.data" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.itemsize", ptr %"x.4", 4
  %".17" = insertvalue [1 x i64] undef, i64 %"x.5.0", 0
  %"inserted.shape" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.data", [1 x i64] %".17", 5
  %".18" = insertvalue [1 x i64] undef, i64 %"x.6.0", 0
  %"inserted.strides" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.shape", [1 x i64] %".18", 6
  %"inserted.meminfo.1" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} undef, ptr %"y.0", 0
  %"inserted.parent.1" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.meminfo.1", ptr %"y.1", 1
  %"inserted.nitems.1" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.parent.1", i64 %"y.2", 2
  %"inserted.itemsize.1" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.nitems.1", i64 %"y.3", 3
  %"inserted.data.1" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.itemsize.1", ptr %"y.4", 4
  %".19" = insertvalue [1 x i64] undef, i64 %"y.5.0", 0
  %"inserted.shape.1" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.data.1", [1 x i64] %".19", 5
  %".20" = insertvalue [1 x i64] undef, i64 %"y.6.0", 0
  %"inserted.strides.1" = insertvalue {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.shape.1", [1 x i64] %".20", 6
  %".30" = alloca {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}
  store {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} zeroinitializer, ptr %".30"
  %".60" = alloca {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}
  store {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} zeroinitializer, ptr %".60"
  %".93" = alloca {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}
  store {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} zeroinitializer, ptr %".93"
  br label %"B0"
B0:
  %".21" = trunc i64 1 to i32
  %".22" = call i32 @"llvm.nvvm.read.ptx.sreg.tid.x"()
  %".23" = sext i32 %".22" to i64
  %".24" = call i32 @"llvm.nvvm.read.ptx.sreg.ntid.x"()
  %".25" = sext i32 %".24" to i64
  %".26" = call i32 @"llvm.nvvm.read.ptx.sreg.ctaid.x"()
  %".27" = sext i32 %".26" to i64
  %".28" = mul i64 %".25", %".27"
  %".29" = add i64 %".28", %".23"
  store {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} zeroinitializer, ptr %".30"
  store {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.strides", ptr %".30"
  %".34" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".30", i32 0, i32 5
  %".35" = getelementptr inbounds [1 x i64], ptr %".34", i32 0, i32 0
  %".36" = load i64, ptr %".35", !range !1
  %".37" = insertvalue [1 x i64] undef, i64 %".36", 0
  %".38" = extractvalue [1 x i64] %".37", 0
  %".39" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".30", i32 0, i32 6
  %".40" = load [1 x i64], ptr %".39"
  %".41" = extractvalue [1 x i64] %".40", 0
  %".42" = icmp slt i64 %".29", 0
  %".43" = add i64 %".29", %".38"
  %".44" = select  i1 %".42", i64 %".43", i64 %".29"
  %".45" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".30", i32 0, i32 5
  %".46" = getelementptr inbounds [1 x i64], ptr %".45", i32 0, i32 0
  %".47" = load i64, ptr %".46", !range !1
  %".48" = insertvalue [1 x i64] undef, i64 %".47", 0
  %".49" = extractvalue [1 x i64] %".48", 0
  %".50" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".30", i32 0, i32 6
  %".51" = load [1 x i64], ptr %".50"
  %".52" = extractvalue [1 x i64] %".51", 0
  %".53" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".30", i32 0, i32 4
  %".54" = load ptr, ptr %".53"
  %".55" = mul i64 %".44", 1
  %".56" = add i64 0, %".55"
  %".57" = getelementptr float, ptr %".54", i64 %".56"
  %".58" = load float, ptr %".57"
  %".59" = add nsw i64 %".29", 1
  store {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} zeroinitializer, ptr %".60"
  store {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.strides", ptr %".60"
  %".64" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".60", i32 0, i32 5
  %".65" = getelementptr inbounds [1 x i64], ptr %".64", i32 0, i32 0
  %".66" = load i64, ptr %".65", !range !1
  %".67" = insertvalue [1 x i64] undef, i64 %".66", 0
  %".68" = extractvalue [1 x i64] %".67", 0
  %".69" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".60", i32 0, i32 6
  %".70" = load [1 x i64], ptr %".69"
  %".71" = extractvalue [1 x i64] %".70", 0
  %".72" = icmp slt i64 %".59", 0
  %".73" = add i64 %".59", %".68"
  %".74" = select  i1 %".72", i64 %".73", i64 %".59"
  %".75" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".60", i32 0, i32 5
  %".76" = getelementptr inbounds [1 x i64], ptr %".75", i32 0, i32 0
  %".77" = load i64, ptr %".76", !range !1
  %".78" = insertvalue [1 x i64] undef, i64 %".77", 0
  %".79" = extractvalue [1 x i64] %".78", 0
  %".80" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".60", i32 0, i32 6
  %".81" = load [1 x i64], ptr %".80"
  %".82" = extractvalue [1 x i64] %".81", 0
  %".83" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".60", i32 0, i32 4
  %".84" = load ptr, ptr %".83"
  %".85" = mul i64 %".74", 1
  %".86" = add i64 0, %".85"
  %".87" = getelementptr float, ptr %".84", i64 %".86"
  %".88" = load float, ptr %".87"
  %".89" = fadd float %".58", %".88"
  %".90" = fptrunc double 0x3fe0000000000000 to float
  %".91" = fmul float %".89", %".90"
  %".92" = call float @"__nv_expf"(float %".91")
  store {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} zeroinitializer, ptr %".93"
  store {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]} %"inserted.strides.1", ptr %".93"
  %".97" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".93", i32 0, i32 5
  %".98" = getelementptr inbounds [1 x i64], ptr %".97", i32 0, i32 0
  %".99" = load i64, ptr %".98", !range !1
  %".100" = insertvalue [1 x i64] undef, i64 %".99", 0
  %".101" = extractvalue [1 x i64] %".100", 0
  %".102" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".93", i32 0, i32 6
  %".103" = load [1 x i64], ptr %".102"
  %".104" = extractvalue [1 x i64] %".103", 0
  %".105" = icmp slt i64 %".29", 0
  %".106" = add i64 %".29", %".101"
  %".107" = select  i1 %".105", i64 %".106", i64 %".29"
  %".108" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".93", i32 0, i32 5
  %".109" = getelementptr inbounds [1 x i64], ptr %".108", i32 0, i32 0
  %".110" = load i64, ptr %".109", !range !1
  %".111" = insertvalue [1 x i64] undef, i64 %".110", 0
  %".112" = extractvalue [1 x i64] %".111", 0
  %".113" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".93", i32 0, i32 6
  %".114" = load [1 x i64], ptr %".113"
  %".115" = extractvalue [1 x i64] %".114", 0
  %".116" = getelementptr inbounds {ptr, ptr, i64, i64, ptr, [1 x i64], [1 x i64]}, ptr %".93", i32 0, i32 4
  %".117" = load ptr, ptr %".116"
  %".118" = mul i64 %".107", 1
  %".119" = add i64 0, %".118"
  %".120" = getelementptr float, ptr %".117", i64 %".119"
  store float %".92", ptr %".120"
  ret void
}

declare i32 @"llvm.nvvm.read.ptx.sreg.tid.x"()

declare i32 @"llvm.nvvm.read.ptx.sreg.ntid.x"()

declare i32 @"llvm.nvvm.read.ptx.sreg.ctaid.x"()

declare float @"__nv_expf"(float %".1")

@"llvm.used" = appending global [1 x ptr] [ptr bitcast (ptr @"mean" to ptr)], section "llvm.metadata"
!nvvmir.version = !{ !0 }
!nvvm.annotations = !{ !2, !3 }
!0 = !{ i32 2, i32 0, i32 3, i32 2 }
!1 = !{ i64 0, i64 9223372036854775807 }
!2 = !{ ptr @"mean", !"kernel", i32 1 }
!3 = !{ ptr @"mean", !"maxntidx", i32 256 }