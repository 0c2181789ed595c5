//===- kernel.cu - transforms by FFTW's generated codelets ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// FFTW's codelets, which its generator wrote, are straight-line transforms of
// one size. dft/ of this folder stands in for FFTW's own headers.
//
//===----------------------------------------------------------------------===//

#include "real/Item.h"
REAL_LIBRARY_BEGIN
#include REAL_CODELET_FILE
REAL_LIBRARY_END

REAL_ITEM(In, Out) {
  const REAL_TYPE *Real = In.Data,
                  *Imaginary = In.Data + REAL_INS / 2 * In.Stride;
  REAL_CODELET(Real, Imaginary, Out.Data, Out.Data + REAL_OUTS / 2 * Out.Stride,
               stride(In.Stride), stride(Out.Stride), 1, 0, 0);
}
