// -fsave-optimization-record files the remarks under the pass name regdem.
// REQUIRES: clang-cuda
// RUN: %device %demote %s -o %t.s -fsave-optimization-record -foptimization-record-file=%t.yaml
// RUN: FileCheck %s --input-file=%t.yaml
#include "../cuda/Inputs/mix.h"

// CHECK:      Pass: {{ *}}regdem
// CHECK-NEXT: Name: {{ *}}Figures
// CHECK:      Function: {{ *}}demoted
// CHECK:      --- !Passed
// CHECK-NEXT: Pass: {{ *}}regdem
// CHECK-NEXT: Name: {{ *}}Decided
// CHECK:      Function: {{ *}}demoted
extern "C" __global__ void __launch_bounds__(256, 6)
    demoted(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
