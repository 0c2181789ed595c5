//===- KernelInspector.h - look at kernels where RegDem would ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives the analyses and the decision of RegDem's pass to a function instead of
// acting on them, so that both see the same code at the same place.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_KERNELINSPECTOR_H
#define REGDEM_TOOLS_KERNELINSPECTOR_H

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/KernelGraph.h"
#include "regdem/Decision/Choice/Decide.h"
#include "regdem/Options.h"
#include <functional>

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace regdem {

/// What RegDem's decision is made from, and the decision.
struct InspectedKernel {
  const Options &Opts; ///< With the kernel's annotations.
  const KernelFacts &Facts;
  const KernelGraph &Graph;
  const KernelDecision &Decided; ///< Meaningless where the mode is off.
};

using KernelVisitor = std::function<void(const InspectedKernel &)>;

/// Name of the pass for the pipeline's limits.
constexpr const char *InspectorName = "regdem-inspector";

/// A pass for RegDem's place in the pipeline that shows Visit every selected
/// kernel and changes nothing.
llvm::FunctionPass *createInspectorPass(KernelVisitor Visit);

} // namespace regdem

#endif // REGDEM_TOOLS_KERNELINSPECTOR_H
