// Under clang, options come through -mllvm, and a bad one is refused by the
// device side and, before that, by the host side of the same command.
// REQUIRES: clang-cuda
// RUN: not %device %regdem -mllvm -regdem-max-regs=15 %s -o %t.s 2>&1 | FileCheck %s
// RUN: not %clang-cuda --cuda-host-only -c %regdem -mllvm -regdem-max-regs=15 %s -o %t.o 2>&1 | FileCheck %s
// CHECK: regdem-max-regs option: '15' is not a number from 16 to 255
__global__ void nothing() {}
