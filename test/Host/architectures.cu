// Two architectures in one program: each device takes its own builds; those
// that one architecture's code lacks are not launched. A device that two images
// are for takes none, as it is not known which of them it gets.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %launches --cuda-gpu-arch=sm_80 -mllvm -regdem-report=%t.jsonl -c %s -o %t.o
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: env FAKE_DEVICES=80x108,90x132,86x84 %t.exe > %t.txt
// RUN: env FAKE_DEVICES=80x108,90x132,86x84 %expect %t.jsonl --least 2 < %t.txt
// RUN: %launches --cuda-gpu-arch=sm_90a -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: env FAKE_DEVICES=90x132,90x132,90x132 %t.exe | FileCheck %s
// REMARK: remark: launches of 'step({{.*}})' do not take all of its builds: the program has several kinds of code for sm_90
// CHECK: launch _Z4stepPKjS0_Pji grid
// CHECK-NOT: $regdem
#include "Inputs/stepping.h"

int main() {
  for (int Device : {0, 1, 2}) {
    cudaSetDevice(Device);
    for (unsigned Threads : {64, 128, 256, 512, 1024})
      step<<<1000000, Threads>>>(nullptr, nullptr, nullptr, 0);
  }
}
