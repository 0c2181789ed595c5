//===- WideAccesses.h - memory accesses as nvcc has them --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang leaves accesses narrower or less specific than they can be:
//
//   extern __shared__ char s[];          of one byte's alignment, so that
//   ((int4 *)s)[i] = in[i];              16 loads and 16 stores of a byte copy
//                                        an element: now one load and one store
//   out[i] = in[i];                      of 16 bytes are copied by two times 8:
//                                        now by once 16
//   wmma::load_matrix_sync(f, s, n);     of a generic address, whatever is
//                                        known of it: now of shared memory
//
// Values and their order stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_WIDEACCESSES_H
#define REGDEM_TRANSFORM_WIDEACCESSES_H

#include "llvm/IR/PassManager.h"
#include "llvm/Support/Alignment.h"

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// What a thread's widest access is aligned to: as many bytes as it has.
constexpr llvm::Align WidestAccess = llvm::Align::Constant<16>();

/// Whether widenAccesses() may change Kernel, whose address spaces LLVM has
/// inferred.
bool hasNarrowAccesses(llvm::Function &Kernel);

/// Makes the accesses of Kernel wide; whether any has changed.
bool widenAccesses(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM);

} // namespace regdem

#endif // REGDEM_TRANSFORM_WIDEACCESSES_H
