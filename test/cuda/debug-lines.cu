// Lines of a debugger's build are one.
// REQUIRES: clang-cuda
// RUN: %device -gline-tables-only --cuda-noopt-device-debug %regdem %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// CHECK: remark: 'debugged' left as it is: it is compiled for a debugger: leave --cuda-noopt-device-debug out
extern "C" __global__ void debugged(unsigned *Data) { Data[threadIdx.x] = 1; }
