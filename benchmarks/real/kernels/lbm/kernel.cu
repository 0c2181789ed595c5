//===- kernel.cu - lattice Boltzmann collisions by lbmpy ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "real/Item.h"

// Populations near those of a fluid at rest, of which each is 1 / REAL_INS.
REAL_ITEM(Random, Out) {
  struct {
    Inputs Random;
    REAL_DEVICE double operator[](int K) const {
      return REAL_REST / REAL_INS + 0.01 / REAL_INS * Random[K];
    }
  } In{Random};
#include REAL_COLLISION
}
