//===- CandidateText.h - the PTX of builds ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_CANDIDATETEXT_H
#define REGDEM_LIB_BUILDER_CANDIDATETEXT_H

#include "regdem/Passes/PassState.h"
#include "regdem/Toolchain/Parallel.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace regdem {

/// PTX, and what code generation shows besides.
struct CandidateText : TrialNotes {
  std::string PTX;
  bool IsSilent = true; ///< Code generation had but remarks to tell the user.
};

/// A module as bitcode, in which LLVM's code generation is yet to run or has
/// already run its passes on IR.
struct ModuleImage {
  llvm::SmallVector<char, 0> Bitcode;
  bool IsPrepared = false; ///< These passes have run.
  TrialNotes Notes;        ///< What they have found.
  /// Names of values are not kept, which code generation prints in comments.
  bool DiscardsNames = false;
};

/// A kernel as code generation gets it.
struct CandidateSource {
  ModuleImage Image;
  std::string Digest; ///< Of the image.
  std::string KernelName;
  /// Nobody states a cap, so that builds bring their own.
  bool CapIsFree = false;
};

/// The PTX of all builds.
///
/// Searches for launches of several sizes compile copies of one kernel, and
/// most of their builds are the same. Here each is compiled once, by the search
/// that asks first; the others wait for it. What comes of that does not depend
/// on who asks, nor on when.
class CompiledTexts {
public:
  /// Compiles From's kernel, in a context of its own, as Wanted says.
  /// LaunchThreads: of a block, where that is a copy for launches; else 0.
  /// InOneGo: without keeping what the passes on IR make of it, for other
  /// builds of the kernel. An error is the first that LLVM reports.
  llvm::Expected<const CandidateText &>
  compile(const CandidateSource &From, const llvm::TargetMachine &TM,
          const BuildRecipe &Wanted, unsigned LaunchThreads, bool InOneGo);

private:
  MadeOnce<std::tuple<std::string, Rewrite, unsigned>, ModuleImage> Prepared;
  MadeOnce<std::tuple<std::string, bool, BuildRecipe, unsigned>, CandidateText>
      Texts;
};

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_CANDIDATETEXT_H
