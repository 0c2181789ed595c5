// Whether trials are assembled to be linked, as with -fgpu-rdc, is in a
// decision's key: each way has the decision that it has without a cache.
// REQUIRES: clang-cuda
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{build} = rm -f %t/report.jsonl && %device %regdem -mllvm -regdem-cache=%t/cache -mllvm -regdem-report=%t/report.jsonl -mllvm -regdem-max-regs=40 %s -o %t/out.s
// RUN: %{build} && %report %t/report.jsonl first "'cached' not in records[0]"
// RUN: %{build} -fgpu-rdc && %report %t/report.jsonl first "'cached' not in records[0]"
// RUN: %{build} -fgpu-rdc && %report %t/report.jsonl first cached
#include "Inputs/two-kernels.h"
