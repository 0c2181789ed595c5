// The report has the kernel's name as the source has it, and where it stands.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl %t.plain.jsonl
// RUN: %device -gline-tables-only %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %report %t.jsonl _ZN6solver4stepIfEEvPT_ "name == 'void solver::step<float>(float*)'" "source == '%s:13'" "variants == []" "version[0].isdigit()"
// RUN: %device %regdem -mllvm -regdem-ptxas=off -mllvm -regdem-report=%t.plain.jsonl %s -o %t.s
// RUN: %report %t.plain.jsonl _ZN6solver4stepIfEEvPT_ "source.endswith('report-of-source.cu')"
// A fault is found by the schema.
// RUN: sed -e 's/"block_size":256/"block_size":0/' %t.jsonl > %t.bad.jsonl
// RUN: not %report %t.bad.jsonl 2>&1 | FileCheck %s
// CHECK: report: block_size is 0, less than 1
namespace solver {
template <typename T> __global__ void step(T *Data) { Data[threadIdx.x] *= 2; }
template __global__ void step(float *);
} // namespace solver
