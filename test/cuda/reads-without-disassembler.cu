// Usual code is read without a run of nvdisasm, wherever that is said to be,
// and as from the text that nvdisasm prints.
// REQUIRES: clang-cuda, nvdisasm
// RUN: rm -rf %t && mkdir -p %t/bin
// RUN: printf '#!/bin/sh\ntouch %t/was-run\nexec %nvdisasm "$@"\n' > %t/bin/nvdisasm && chmod +x %t/bin/nvdisasm
// DEFINE: %{place} = -regdem-disassembler=%t/bin/nvdisasm
// RUN: %device %regdem %s -o %t/own.s -mllvm %{place} -mllvm -regdem-report=%t/own.jsonl
// RUN: env PATH=%t/bin:$PATH %device %regdem %s -o %t/found.s
// RUN: cmp %t/own.s %t/found.s
// RUN: %report %t/own.jsonl wide "from_sass" "len(variants) > 1"
// RUN: %device %s -o %t/stock.s
// RUN: %ptxas %t/own.s -o %t/own.cubin
// RUN: %ptxas %t/stock.s -o %t/stock.cubin
// RUN: %ptxas -O1 %t/stock.s -o %t/plain.cubin
// DEFINE: %{sass} = %regdem-opt --sass
// RUN: %{sass} %{place} %t/own.cubin > %t/own.txt
// RUN: %{sass} %{place} %t/stock.cubin > %t/stock.txt
// RUN: %{sass} %{place} %t/plain.cubin > %t/plain.txt
// RUN: not ls %t/was-run
// RUN: %nvdisasm -c -hex %t/own.cubin | %{sass} - | cmp - %t/own.txt
// RUN: %nvdisasm -c -hex %t/stock.cubin | %{sass} - | cmp - %t/stock.txt
// RUN: %nvdisasm -c -hex %t/plain.cubin | %{sass} - | cmp - %t/plain.txt
// Code for other architectures is nvdisasm's to read.
// RUN: %clang-cuda --no-cuda-gpu-arch=sm_90 --cuda-gpu-arch=sm_75 --cuda-device-only -c %s -o %t/older.cubin
// RUN: %{sass} %{place} %t/older.cubin > %t/older.txt
// RUN: ls %t/was-run
#include "Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256)
    wide(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
