// No builds and the stock host code where it is not certain that one command
// makes device and host code: of one side alone, of the device's assembly, with
// -save-temps (ptxas and the host compilation are commands of their own then,
// of which the device code's compilation knows nothing), and at -O0. Nor where
// that is asked for. -fsyntax-only makes no code, and no report.
// REQUIRES: clang-cuda
// RUN: %clang-cuda -c %s -o %t.stock.o --cuda-host-only
// RUN: %clang-cuda -c %s -o %t.default.o --cuda-host-only %regdem
// RUN: cmp %t.stock.o %t.default.o
// RUN: %launches --cuda-device-only -S %s -o - | FileCheck %s
// RUN: %launches --cuda-device-only -c %s -o %t.cubin
// RUN: not grep -q 'regdem[0-9]' %t.cubin
// RUN: rm -rf %t.temps && mkdir %t.temps && cd %t.temps
// RUN: %clang-cuda -save-temps -fpass-plugin=%plugin -Xclang -mllvm -Xclang -regdem-launch=auto -c %s -o %t.temps/x.o
// RUN: not grep -q 'regdem[0-9]' %t.temps/x.o
// RUN: %clang %t.temps/x.o %recording-runtime -o %t.temps/x
// RUN: %t.temps/x | FileCheck %s --check-prefix=TEMPS
// RUN: %launches -O0 -c %s -o %t.unoptimized.o
// RUN: not grep -q 'regdem[0-9]' %t.unoptimized.o
// What is about one side's code alone is no obstacle; a macro is.
// RUN: %launches -Xarch_device -ffast-math -Xarch_host -mavx2 -c %s -o %t.alike.o
// RUN: grep -q 'regdem[0-9]' %t.alike.o
// RUN: %launches -Xarch_device -DBLOCK=64 -c %s -o %t.macro.o
// RUN: not grep -q 'regdem[0-9]' %t.macro.o
// RUN: %launches -mllvm -regdem-launch=off -c %s -o %t.off.o
// RUN: not grep -q 'regdem[0-9]' %t.off.o
// RUN: %launches -c %s -o %t.on.o
// RUN: grep -q 'regdem[0-9]' %t.on.o
// RUN: %launches -fsyntax-only -mllvm -regdem-report=%t.temps/report.jsonl -Rpass=regdem -Rpass-missed=regdem %s 2>&1 | count 0
// RUN: not ls %t.temps/report.jsonl
#include "Inputs/stepping.h"

// CHECK: .entry _Z4stepPKjS0_Pji(
// CHECK-NOT: $regdem
// TEMPS: launch _Z4stepPKjS0_Pji grid
// TEMPS-NOT: $regdem

int main() { step<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0); }
