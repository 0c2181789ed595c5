// No builds and the stock host code where it is not certain that one command
// makes device and host code: by default, of the device side alone, of its
// assembly, with -fgpu-rdc, with -save-temps, and at -O0.
// REQUIRES: clang-cuda, nvdisasm
// RUN: %clang-cuda -c %s -o %t.stock.o --cuda-host-only
// RUN: %clang-cuda -c %s -o %t.default.o --cuda-host-only %regdem
// RUN: cmp %t.stock.o %t.default.o
// RUN: %launches --cuda-device-only -S %s -o - | FileCheck %s
// RUN: %launches --cuda-device-only -c %s -o %t.cubin
// RUN: not grep -q 'regdem[0-9]' %t.cubin
// RUN: %launches -fgpu-rdc -c %s -o %t.rdc.o
// RUN: not grep -q 'regdem[0-9]' %t.rdc.o
// RUN: rm -rf %t.temps && mkdir %t.temps && cd %t.temps
// RUN: %clang-cuda -save-temps -fpass-plugin=%plugin -Xclang -mllvm -Xclang -regdem-launch=auto -c %s -o %t.temps/x.o
// RUN: not grep -q 'regdem[0-9]' %t.temps/x.o
// RUN: %launches -O0 -c %s -o %t.unoptimized.o
// RUN: not grep -q 'regdem[0-9]' %t.unoptimized.o
// RUN: %launches -fsyntax-only %s
#include "Inputs/walk.h"

// CHECK: .entry _Z4stepPKjS0_Pji(
// CHECK-NOT: $regdem
__global__ void step(const unsigned *Cold, const unsigned *Rows,
                     unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}

int main() { step<<<1, 256>>>(nullptr, nullptr, nullptr, 0); }
