// No builds and the stock host code where it is not certain that one command
// makes device and host code: of one side alone, of the device's assembly, with
// -save-temps, and at -O0. Nor where that is asked for.
// REQUIRES: clang-cuda, nvdisasm
// RUN: %clang-cuda -c %s -o %t.stock.o --cuda-host-only
// RUN: %clang-cuda -c %s -o %t.default.o --cuda-host-only %regdem
// RUN: cmp %t.stock.o %t.default.o
// RUN: %launches --cuda-device-only -S %s -o - | FileCheck %s
// RUN: %launches --cuda-device-only -c %s -o %t.cubin
// RUN: not grep -q 'regdem[0-9]' %t.cubin
// RUN: rm -rf %t.temps && mkdir %t.temps && cd %t.temps
// RUN: %clang-cuda -save-temps -fpass-plugin=%plugin -c %s -o %t.temps/x.o
// RUN: not grep -q 'regdem[0-9]' %t.temps/x.o
// RUN: %launches -O0 -c %s -o %t.unoptimized.o
// RUN: not grep -q 'regdem[0-9]' %t.unoptimized.o
// RUN: %launches -mllvm -regdem-launch=off -c %s -o %t.off.o
// RUN: not grep -q 'regdem[0-9]' %t.off.o
// RUN: %launches -c %s -o %t.on.o
// RUN: grep -q 'regdem[0-9]' %t.on.o
// RUN: %launches -fsyntax-only %s
#include "Inputs/stepping.h"

// CHECK: .entry _Z4stepPKjS0_Pji(
// CHECK-NOT: $regdem

int main() { step<<<1, 256>>>(nullptr, nullptr, nullptr, 0); }
