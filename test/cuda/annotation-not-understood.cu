// An annotation that cannot be understood is an error that quotes it; one for
// somebody else is none of RegDem's business.
// REQUIRES: clang-cuda
// RUN: not %device %demote -DTEXT='"regdem:max-regs=lots"' %s -o %t.s 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %device %demote -DTEXT='"regdem:max-registers=40"' %s -o %t.s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %device %demote -DTEXT='"regdem:mode=demoted"' %s -o %t.s 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not %device %demote -DTEXT='"regdem-max-regs=40"' %s -o %t.s 2>&1 | FileCheck %s --check-prefix=HYPHEN
// RUN: not %device %demote -DTEXT='"RegDem:max-regs=40"' %s -o %t.s 2>&1 | FileCheck %s --check-prefix=LETTERS
// RUN: %device %demote -DTEXT='"regdemotion:max-regs=lots"' %s -o %t.s
#include "Inputs/mix.h"

// NUMBER: error: regdem: 'annotated': annotation "regdem:max-regs=lots": 'lots' is not a number from 16 to 255
// NAME:   error: regdem: 'annotated': annotation "regdem:max-registers=40": an annotation sets mode, max-regs, min-blocks, block-size, dynamic-smem or pragma, not 'max-registers'
// HYPHEN: error: regdem: 'annotated': annotation "regdem-max-regs=40" does not begin with 'regdem:'
// LETTERS: error: regdem: 'annotated': annotation "RegDem:max-regs=40" does not begin with 'regdem:'
// MODE:   error: regdem: 'annotated': annotation "regdem:mode=demoted": 'demoted' is not auto, demote or off
extern "C" __global__ void __launch_bounds__(256, 6)
    __attribute__((annotate(TEXT))) annotated(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
