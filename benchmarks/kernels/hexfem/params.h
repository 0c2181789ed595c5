//===- params.h - hexahedral elements: kernel and host ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_HEXFEM_PARAMS_H
#define BENCHMARKS_HEXFEM_PARAMS_H

enum { Nodes = 8, Points = 8, BlockSize = 128 };
constexpr double GaussPoint = 0.57735026918962576; ///< root of 1/3

#endif // BENCHMARKS_HEXFEM_PARAMS_H
