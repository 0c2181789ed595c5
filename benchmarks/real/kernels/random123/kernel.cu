//===- kernel.cu - counter-based random numbers by Random123 --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "real/Item.h"
#ifdef __x86_64__
#include <emmintrin.h> // The library's, which is to stay the host's.
#endif
REAL_LIBRARY_BEGIN
#include <Random123/philox.h>
#include <Random123/threefry.h>
REAL_LIBRARY_END

// As many generators beside each other as a simulation takes numbers a step.
REAL_ITEM(In, Out) {
  using Generator = r123::REAL_GENERATOR;
  typename Generator::ctr_type Counter = {{}};
  typename Generator::ukey_type Key = {{}};
  Generator Rng;
  constexpr int Words = REAL_OUTS / REAL_STREAMS;
  for (int K = 0; K < REAL_INS; ++K)
    Key[K] = In[K];
  typename Generator::ctr_type Values[REAL_STREAMS];
#pragma unroll
  for (int S = 0; S < REAL_STREAMS; ++S) {
    Counter[0] = S;
    Values[S] = Rng(Counter, Key);
  }
#pragma unroll
  for (int S = 0; S < REAL_STREAMS; ++S)
#pragma unroll
    for (int W = 0; W < Words; ++W)
      Out[S * Words + W] = Values[S][W] ^ Values[(S + 1) % REAL_STREAMS][W];
}
