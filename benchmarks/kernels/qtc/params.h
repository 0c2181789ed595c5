//===- params.h - quality-threshold clustering: kernel and host -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_QTC_PARAMS_H
#define BENCHMARKS_QTC_PARAMS_H

enum { MaxDegree = 192, BlockSize = 64 };

#endif // BENCHMARKS_QTC_PARAMS_H
