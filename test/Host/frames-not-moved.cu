// Device code counts on a frame that moves, but the compilation that is to move
// it leaves it where it is: no launch takes that build. Where it moves,
// launches do.
// REQUIRES: clang-cuda
// RUN: %launches --cuda-device-only -mllvm -regdem-arrays=off -mllvm -regdem-launch=on -mllvm -regdem-finish=on -c %s -o %t.cubin
// RUN: %cuda/bin/fatbinary -64 --create %t.fatbin --image3=kind=elf,sm=90,file=%t.cubin
// RUN: %launches --cuda-host-only -mllvm -regdem-launch=on -mllvm -regdem-finish=off -Xclang -fcuda-include-gpubinary -Xclang %t.fatbin -c %s -o %t.o
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s --check-prefix=STOCK
// RUN: %launches --cuda-host-only -mllvm -regdem-launch=on -Xclang -fcuda-include-gpubinary -Xclang %t.fatbin -c %s -o %t.o
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// STOCK: launch _Z4binsPiPKii grid
// STOCK-NOT: $regdem
// CHECK: launch _Z4binsPiPKii$regdem1 grid
#include "Inputs/bins.h"

int main() { bins<<<1000000, 128>>>(nullptr, nullptr, 0); }
