//===- params.h - cross-section lookup: kernel and host ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_XS_LOOKUP_PARAMS_H
#define BENCHMARKS_XS_LOOKUP_PARAMS_H

enum {
  CrossSections = 5,
  PointDoubles = 1 + CrossSections, ///< energy, cross sections
  Materials = 12,
  MaxNuclides = 34, ///< in one material
  BlockSize = 256
};

#endif // BENCHMARKS_XS_LOOKUP_PARAMS_H
