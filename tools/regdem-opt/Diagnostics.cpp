//===- Diagnostics.cpp - errors and remarks on stderr ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <unistd.h>

using namespace llvm;

namespace regdem {

/// "regdem-opt: Severity: Message" with line breaks folded into blanks.
static void printLine(StringRef Severity, StringRef Message) {
  SmallVector<StringRef, 4> Words;
  Message.split(Words, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef &W : Words)
    W = W.trim();
  errs() << "regdem-opt: " << Severity << ": " << join(Words, " ") << "\n";
}

void reportError(const Twine &Message) { printLine("error", Message.str()); }

std::string describe(const SMDiagnostic &D) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (!D.getFilename().empty())
    OS << (D.getFilename() == "-" ? "<stdin>" : D.getFilename()) << ":";
  if (D.getLineNo() > 0)
    OS << D.getLineNo() << ":" << D.getColumnNo() + 1 << ":";
  OS << (Text.empty() ? "" : " ") << D.getMessage();
  return Text;
}

bool LineDiagnostics::handleDiagnostics(const DiagnosticInfo &DI) {
  if (const auto *Remark = dyn_cast<DiagnosticInfoOptimizationBase>(&DI))
    if (!Remark->isEnabled())
      return true;
  std::string Text;
  if (const auto *MIR = dyn_cast<DiagnosticInfoMIRParser>(&DI)) {
    Text = describe(MIR->getDiagnostic());
  } else {
    raw_string_ostream OS(Text);
    DiagnosticPrinterRawOStream Printer(OS);
    DI.print(Printer);
  }
  printLine(LLVMContext::getDiagnosticMessagePrefix(DI.getSeverity()), Text);
  return true;
}

static std::FILE *Held = nullptr; ///< What is written to stderr while held.
static int RealStderr = -1;

void holdStderr() {
  RealStderr = dup(STDERR_FILENO);
  Held = RealStderr < 0 ? nullptr : std::tmpfile();
  if (Held)
    dup2(fileno(Held), STDERR_FILENO);
}

std::string releaseStderr() {
  std::string Text;
  if (!Held)
    return Text;
  errs().flush();
  dup2(RealStderr, STDERR_FILENO);
  std::rewind(Held);
  char Chunk[4096];
  while (size_t Read = std::fread(Chunk, 1, sizeof(Chunk), Held))
    Text.append(Chunk, Read);
  std::fclose(Held);
  close(RealStderr);
  Held = nullptr;
  return Text;
}

/// Ends the program as an unreadable input does. LLVM gives no way back from
/// a fatal error.
static void onFatalError(void *, const char *Reason, bool) {
  std::string Said = releaseStderr();
  // The machine verifier explains itself ahead of the fatal error.
  auto [Before, Fault] = StringRef(Said).split("*** Bad machine code: ");
  if (Fault.empty()) {
    errs() << Said;
    reportError(Reason);
  } else {
    auto [What, Where] = Fault.split(" ***");
    StringRef Name = Where.split("- function:").second.split('\n').first.trim();
    reportError("invalid machine code in '" + Name + "': " + What);
  }
  errs().flush();
  std::_Exit(Failure);
}

int runGuarded(function_ref<int()> Work) {
  ScopedFatalErrorHandler Handler(onFatalError);
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Context;
  int Result = Failure;
  if (!Context.RunSafely([&] { Result = Work(); })) {
    errs() << releaseStderr();
    reportError("LLVM crashed on this input; with invalid IR or MIR that is "
                "its way to reject it");
    std::_Exit(Failure);
  }
  return Result;
}

} // namespace regdem
