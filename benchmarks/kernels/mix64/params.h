//===- params.h - mixing loop: shared by kernel and host ----------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_MIX64_PARAMS_H
#define BENCHMARKS_MIX64_PARAMS_H

enum { Values = 64, Rounds = 128, BlockSize = 256 };

#endif // BENCHMARKS_MIX64_PARAMS_H
