//===- Divergence.h - whether the threads of a warp may part ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_DIVERGENCE_H
#define REGDEM_ANALYSIS_DIVERGENCE_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace regdem {

/// Whether F has loops, and branches at which threads of a warp may part that
/// meet again before F's end.
bool hasLoopsAmidDivergence(llvm::Function &F, const llvm::TargetMachine &TM);

} // namespace regdem

#endif // REGDEM_ANALYSIS_DIVERGENCE_H
