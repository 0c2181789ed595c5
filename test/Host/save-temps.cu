// With -save-temps ptxas and the host compilation are commands of their own, of
// which the device code's compilation knows nothing: no launch chooses.
// -fsyntax-only makes no code, and no report.
// REQUIRES: clang-cuda, nvdisasm
// RUN: rm -rf %t && mkdir %t
// RUN: cd %t && %clang-cuda -save-temps -fpass-plugin=%plugin -Xclang -mllvm -Xclang -regdem-launch=auto -c %s -o %t/step.o
// RUN: %clang %t/step.o %recording-runtime -o %t/step
// RUN: %t/step | FileCheck %s
// CHECK: launch _Z4stepPKjS0_Pji grid
// CHECK-NOT: $regdem
//
// RUN: %launches -fsyntax-only -mllvm -regdem-report=%t/report.jsonl -Rpass=regdem -Rpass-missed=regdem %s 2>&1 | count 0
// RUN: not ls %t/report.jsonl
#include "Inputs/stepping.h"

int main() { step<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0); }
