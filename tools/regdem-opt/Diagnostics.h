//===- Diagnostics.h - errors and remarks on stderr -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every line that the tool writes to stderr. Whatever goes wrong, inside LLVM
// too, is to end here as one line and an exit code.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_DIAGNOSTICS_H
#define REGDEM_TOOLS_DIAGNOSTICS_H

#include "llvm/ADT/STLFunctionalExtras.h"
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

/// Holds stderr back until releaseStderr(): LLVM's MIR parser verifies what it
/// reads and prints a whole function before it ends the program, of which the
/// fatal-error handler shows the one line that matters. Where no temporary file
/// can be had, nothing is held.
void holdStderr();

/// Gives stderr back, if it is held, and returns what was written to it.
std::string releaseStderr();

/// Runs Work and returns its result, an ExitCode. LLVM's fatal errors, and
/// crashes of LLVM on input that its own checks let through, become one line
/// and Failure.
int runGuarded(llvm::function_ref<int()> Work);

} // namespace regdem

#endif // REGDEM_TOOLS_DIAGNOSTICS_H
