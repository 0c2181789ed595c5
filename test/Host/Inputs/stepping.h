// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel whose launches most tests look at.
#ifndef REGDEM_TEST_LAUNCH_STEPPING_H
#define REGDEM_TEST_LAUNCH_STEPPING_H

#include "walk.h"

__global__ void step(const unsigned *Cold, const unsigned *Rows,
                     unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}

#endif
