// A precompiled header is for one side: clang refuses one of the host in device
// code, so that no command that makes both sides can have one. Where each side
// has its own command, host code with a precompiled header chooses as without.
// REQUIRES: clang-cuda
// DEFINE: %{host} = %launches --cuda-host-only -mllvm -regdem-launch=on
// RUN: %{host} -Xclang -emit-pch -c %S/Inputs/walk.h -o %t.pch
// RUN: not %launches -include-pch %t.pch -c %s -o %t.both.o 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: precompiled file '{{.*}}.pch' was compiled for the target 'x86_64{{.*}}' but the current translation unit is being compiled for target 'nvptx64-nvidia-cuda'
//
// RUN: %launches --cuda-device-only -mllvm -regdem-launch=on -include %S/Inputs/walk.h -c %s -o %t.cubin
// RUN: %cuda/bin/fatbinary -64 --create %t.fatbin --image3=kind=elf,sm=90,file=%t.cubin
// RUN: %{host} -include-pch %t.pch -Xclang -fcuda-include-gpubinary -Xclang %t.fatbin -c %s -o %t.o
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// CHECK: launch _Z4stepPKjS0_Pji$regdem1 grid

__global__ void step(const unsigned *Cold, const unsigned *Rows,
                     unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}

int main() { step<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0); }
