//===- PtxGraph.h - a kernel's PTX with its graph ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What KernelCode.h is for machine functions: the graph of KernelGraph.h, and
// the way back from its numbers to the text. PTX names as many registers as it
// likes, so that its registers are values already.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_PTXGRAPH_H
#define REGDEM_ANALYSIS_PTXGRAPH_H

#include "regdem/Analysis/KernelGraph.h"
#include "regdem/MachineCode/PtxCode.h"
#include "llvm/Support/Error.h"

namespace regdem {

struct PtxRegister {
  llvm::StringRef Name; ///< "%r12"
  unsigned Bits = 0;    ///< Of its type; 1: a predicate.
};

struct PtxGraph {
  PtxCode Code;
  /// Instruction I is Code.Instructions[I], block B the code's.
  KernelGraph Graph;
  std::vector<PtxRegister> Registers; ///< By ValueId.
};

/// The graph of the function that has Body, as PtxFile::bodyOf() gives it; it
/// must outlive the result. An error where the text has something whose reads
/// and writes of registers are not known, or where control goes is not.
llvm::Expected<PtxGraph> readPtxGraph(llvm::StringRef Body);

} // namespace regdem

#endif // REGDEM_ANALYSIS_PTXGRAPH_H
