//===- PipelinePart.h - a part of code generation ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code generation runs passes on IR (value numbering, strength reduction,
// vectorization of loads) before it selects instructions. They take most of its
// time and are the same for all builds of a kernel that leave the same of
// them out, so candidates are brought after them once, and go on from there.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_PIPELINEPART_H
#define REGDEM_LIB_BUILDER_PIPELINEPART_H

#include "llvm/IR/LegacyPassManager.h"

namespace regdem {

/// Takes the whole of a target's code generation and hands a part of it on to
/// another pass manager: what runs on IR, up to CodeGenPrepare, which is the
/// last pass to optimize it, or all that follows. Either part keeps the passes
/// that only hold facts (of the target, of aliases).
class PipelinePart : public llvm::legacy::PassManagerBase {
public:
  enum Kind { OnIR, BehindIR };

  /// To must outlive this.
  PipelinePart(Kind Kept, llvm::legacy::PassManagerBase &To);

  void add(llvm::Pass *P) override;

  /// Whether the passes added so far can be parted: LLVM's option disable-cgp
  /// leaves CodeGenPrepare out.
  bool hasBorder() const { return IsBehindBorder; }

private:
  Kind Kept;
  llvm::legacy::PassManagerBase &To;
  const void *Border; ///< The pass's ID.
  bool IsBehindBorder = false;
};

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_PIPELINEPART_H
