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
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

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

void reportFatalErrors() {
  install_fatal_error_handler([](void *, const char *Reason, bool) {
    reportError(Reason);
    std::_Exit(Failure); // LLVM gives no way back.
  });
}

} // namespace regdem
