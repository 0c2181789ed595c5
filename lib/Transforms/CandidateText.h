//===- CandidateText.h - the PTX of one variant -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_CANDIDATETEXT_H
#define REGDEM_LIB_CANDIDATETEXT_H

#include "regdem/Decision/Outcome.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace regdem {

/// PTX, and what code generation shows of the variant besides.
struct CandidateText {
  std::string PTX;
  Variant Shown;
  bool HasDistantProduct = false; ///< See hasDistantProduct().
  /// The passes that found nothing to do: a build without them is the same.
  Omission Idle;
};

/// Compiles the kernel of this name in a module's Bitcode, in a context of its
/// own, as Wanted says. CapIsFree: nobody states a cap, so that variants bring
/// their own. An error is the first that LLVM reports.
llvm::Expected<CandidateText> compileCandidate(llvm::StringRef Bitcode,
                                               llvm::StringRef KernelName,
                                               const llvm::TargetMachine &TM,
                                               const Variant &Wanted,
                                               bool CapIsFree);

} // namespace regdem

#endif // REGDEM_LIB_CANDIDATETEXT_H
