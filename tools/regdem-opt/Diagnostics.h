//===- Diagnostics.h - errors and remarks on stderr -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tool itself writes to stderr. Whatever goes wrong is a line of it
// and an exit code in the end, LLVM's fatal errors too, but for crashes.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_DIAGNOSTICS_H
#define REGDEM_TOOLS_DIAGNOSTICS_H

#include "llvm/ADT/Twine.h"
#include "llvm/IR/DiagnosticHandler.h"
#include <string>

namespace llvm {
class SMDiagnostic;
} // namespace llvm

namespace regdem {

/// Exit codes of the tool; `--help` states them.
enum ExitCode { Success = 0, Failure = 1, Usage = 2 };

/// "regdem-opt: error: Message" on stderr, as one line.
void reportError(const llvm::Twine &Message);

/// "file:line:column: message" of D, without the quoted source.
std::string describe(const llvm::SMDiagnostic &D);

/// Prints what LLVM reports, one line each: errors and warnings always,
/// remarks where they are asked for.
class LineDiagnostics : public llvm::DiagnosticHandler {
public:
  bool handleDiagnostics(const llvm::DiagnosticInfo &DI) override;
};

/// Makes LLVM's fatal errors lines like others, and the end of the program with
/// Failure.
void reportFatalErrors();

} // namespace regdem

#endif // REGDEM_TOOLS_DIAGNOSTICS_H
