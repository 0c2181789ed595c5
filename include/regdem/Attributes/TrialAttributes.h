//===- TrialAttributes.h - what a trial leaves on its kernel ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trial is a kernel that is compiled in memory to be looked at. What passes
// find out on the way and no figure of the assembler shows stays on the kernel
// as attributes until code generation is over.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ATTRIBUTES_TRIALATTRIBUTES_H
#define REGDEM_ATTRIBUTES_TRIALATTRIBUTES_H

#include "regdem/Decision/Builds/Rewrite.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

struct PlanFigures;

/// Marks Kernel as a candidate that is built only to be looked at: no remark
/// and no report speaks of it.
void markTrial(llvm::Function &Kernel);
bool isTrial(const llvm::Function &Kernel);

/// Leaves on a trial's kernel what the machine pass found that no figure of
/// the assembler shows, and reads it once code generation is over.
void writePlanFigures(llvm::Function &Kernel, const PlanFigures &Of);
PlanFigures readPlanFigures(const llvm::Function &Kernel);

/// Leaves on a trial's kernel what it looks like ahead of Pass, a single one,
/// and after it whether that has changed; Looks is any number that is the same
/// for the same code. noteChange() leaves at once that Pass, or what stands in
/// its place where it is left out, has something to change. readIdlePasses()
/// gives those that changed nothing that was noted.
void noteAhead(llvm::Function &Kernel, Rewrite Pass, uint64_t Looks);
bool isNotedAhead(const llvm::Function &Kernel, Rewrite Pass);
void noteBehind(llvm::Function &Kernel, Rewrite Pass, uint64_t Looks);
void noteChange(llvm::Function &Kernel, Rewrite Pass);
Rewrite readIdlePasses(const llvm::Function &Kernel);

/// On a trial's kernel of which hasDistantProduct() or hasOpenProduct() was
/// found to hold.
inline constexpr llvm::StringLiteral DistantProductAttr =
    "regdem-distant-product";
inline constexpr llvm::StringLiteral OpenProductAttr = "regdem-open-product";

} // namespace regdem

#endif // REGDEM_ATTRIBUTES_TRIALATTRIBUTES_H
