//===- host.cpp - input, launch and reference of every real kernel --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled once for each kernel, with its kernel.cu as plain C++: the reference
// is the same library on the CPU. kernel.json gives REAL_THREADS, the range
// REAL_LOW to REAL_HIGH of floating-point input and REAL_TOLERANCE; integers
// are random bits below REAL_BITS, and have to be equal.
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include REAL_SOURCE

using namespace bench;

namespace {

constexpr bool IsFloat = std::is_floating_point_v<REAL_TYPE>;

#ifdef REAL_WIDE
constexpr int Together = REAL_BLOCK; ///< threads that are checked at a time
#else
constexpr int Together = 1;
#endif

void compute(const REAL_TYPE *In, size_t Stride, std::vector<REAL_TYPE> &Want) {
#ifdef REAL_WIDE
  std::vector<REAL_TYPE> Own(size_t(REAL_INS) * REAL_BLOCK);
  for (int K = 0; K < REAL_INS; ++K)
    for (int T = 0; T < REAL_BLOCK; ++T)
      Own[K * REAL_BLOCK + T] = In[K * Stride + T];
  reference(Own.data(), Want.data(), REAL_BLOCK);
#else
  item(Inputs{In, Stride}, Outputs{Want.data(), 1});
#endif
}

void compare(REAL_TYPE Got, REAL_TYPE Want, double Scale, Checker &C) {
  if constexpr (IsFloat)
    C.close(Got, Want, Scale);
  else
    C.equal(Got, Want);
}

} // namespace

void bench::describe(Problem &P) {
  const size_t Threads = P.quick() ? 4 * REAL_BLOCK : REAL_THREADS;
  auto &In = P.input<REAL_TYPE>(Threads * REAL_INS);
  auto &Out = P.output<REAL_TYPE>(Threads * REAL_OUTS);
  if constexpr (IsFloat)
    fillUniform(In, P.random(0), REAL_LOW, REAL_HIGH);
  else
    parallelFor(In.size(), [&, R = P.random(0)](size_t Begin, size_t End) {
      for (size_t I = Begin; I < End; ++I)
        In[I] = REAL_TYPE(R.bits(I) >> (64 - REAL_BITS));
    });

  P.launch("item", {ceilDiv(Threads, REAL_BLOCK)}, {REAL_BLOCK}, In, Out,
           int(Threads));

  P.verify(Threads / Together, 4096 / Together, REAL_TOLERANCE,
           [=, &In, &Out](size_t I, Checker &C) {
             const REAL_TYPE *Begin =
                 static_cast<const REAL_TYPE *>(In.bytes()) + I * Together;
             std::vector<REAL_TYPE> Want(size_t(REAL_OUTS) * Together);
             compute(Begin, Threads, Want);
             double Scale = 1e-300;
             for (REAL_TYPE W : Want)
               Scale = std::max(Scale, std::fabs(double(W)));
             for (int K = 0; K < REAL_OUTS; ++K)
               for (int T = 0; T < Together; ++T)
                 compare(Out[K * Threads + I * Together + T],
                         Want[size_t(K) * Together + T], Scale, C);
           });
}
