//===- n.h - included by FFTW codelets of type n -------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dft/codelet-dft.h"
