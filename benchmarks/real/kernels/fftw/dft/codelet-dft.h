//===- codelet-dft.h - what FFTW's codelets need, on a GPU ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The macros and types that FFTW's generated transforms are written in, without
// FFTW's planner: a codelet is a function of arrays and strides.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_REAL_FFTW_CODELET_H
#define BENCHMARKS_REAL_FFTW_CODELET_H

#include <cstddef>

using R = REAL_TYPE;
using E = REAL_TYPE;
using INT = std::ptrdiff_t;
using stride = std::ptrdiff_t;

#define WS(Stride, I) ((Stride) * (I))
#define DK(Name, Value) const E Name = E(Value)
#define MAKE_VOLATILE_STRIDE(Count, X) (void)0

static REAL_DEVICE inline E FMA(E A, E B, E C) { return A * B + C; }
static REAL_DEVICE inline E FMS(E A, E B, E C) { return A * B - C; }
static REAL_DEVICE inline E FNMA(E A, E B, E C) { return -(A * B) - C; }
static REAL_DEVICE inline E FNMS(E A, E B, E C) { return C - A * B; }

// What a codelet says about itself to the planner.
struct planner;
struct kdft_genus {};
struct kdft_desc {
  INT Size;
  const char *Name;
  double Operations[4];
  const kdft_genus *Genus;
  INT Is, Os, Ivs, Ovs;
};
static const kdft_genus GENUS{};
// A codelet's registration is a function of this file alone, so that it does
// not keep a second copy of the codelet. The word after a name's comma stands
// where X() would put that attribute.
#define kdft_register registered,
#define X(...) CODELET_NAME(__VA_ARGS__, __attribute__((internal_linkage)), )
#define CODELET_NAME(Name, Attribute, ...) Attribute fftw_##Name
template <class... T> void fftw_registered(T...) {}

#endif // BENCHMARKS_REAL_FFTW_CODELET_H
