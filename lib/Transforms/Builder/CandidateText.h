//===- CandidateText.h - the PTX of one build -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_CANDIDATETEXT_H
#define REGDEM_LIB_BUILDER_CANDIDATETEXT_H

#include "regdem/Decision/Builds/Outcome.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace regdem {

/// PTX, and what code generation shows besides.
struct CandidateText {
  std::string PTX;
  PlanFigures Planned;
  bool HasDistantProduct = false; ///< See hasDistantProduct().
  bool HasOpenProduct = false;    ///< See hasOpenProduct().
  /// Other than unrollLoops() has said.
  bool HasOtherArithmetic = false;
  bool FusesOtherwise = false; ///< See FusedAttr.
  /// The passes that found nothing to do: a build without them is the same.
  Rewrite Idle = Rewrite::None;
  bool IsSilent = true; ///< Code generation had but remarks to tell the user.
};

/// A module as bitcode, in which LLVM's code generation is yet to run or has
/// already run its passes on IR.
struct ModuleImage {
  llvm::SmallVector<char, 0> Bitcode;
  bool IsPrepared = false; ///< These passes have run.
  /// Names of values are not kept, which code generation prints in comments.
  bool DiscardsNames = false;
};

/// The part of O that shows in IR, before instructions are selected.
Rewrite rewritesOfIR(Rewrite O);

/// Source after the passes that code generation runs on IR, but for those that
/// the kernel of this name is to leave out. Source itself where LLVM's options
/// do not let code generation be parted there. An error is the first that LLVM
/// reports.
llvm::Expected<ModuleImage> prepareCandidate(const ModuleImage &Source,
                                             llvm::StringRef KernelName,
                                             const llvm::TargetMachine &TM,
                                             Rewrite OfIR);

/// Compiles the kernel of this name, in a context of its own, as Wanted says.
/// From is the source, or what prepareCandidate() has made of it without what
/// Wanted leaves out in IR. The text is the one that code generation prints for
/// such a kernel from the start. CapIsFree: nobody states a cap, so that
/// builds bring their own. LaunchThreads: of a block, where the kernel is a
/// copy for launches; else 0. An error is the first that LLVM reports.
llvm::Expected<CandidateText>
compileCandidate(const ModuleImage &From, llvm::StringRef KernelName,
                 const llvm::TargetMachine &TM, const BuildRecipe &Wanted,
                 bool CapIsFree, unsigned LaunchThreads);

/// PTX with the directives of its only kernel changed: `.maxnreg MaxRegs` and
/// `.minnctapersm MinBlocks` take the place of such lines that are there; one
/// whose value is 0 is left as it is. None where PTX does not have exactly one
/// kernel with a body, printed as LLVM prints it. Builds that
/// differ in a register cap only have the same code otherwise.
std::optional<std::string>
withEntryDirectives(llvm::StringRef PTX, unsigned MaxRegs, unsigned MinBlocks);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_CANDIDATETEXT_H
