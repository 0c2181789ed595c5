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

/// The one that holds stderr now.
static HeldStderr *Holder = nullptr;

HeldStderr::HeldStderr() {
  File = std::tmpfile();
  Original = File ? dup(STDERR_FILENO) : -1;
  if (Original < 0 || dup2(fileno(File), STDERR_FILENO) < 0)
    return;
  Holder = this;
}

HeldStderr::~HeldStderr() {
  if (Holder == this)
    errs() << restore();
  if (Original >= 0)
    close(Original);
  if (File)
    std::fclose(File);
}

std::string HeldStderr::restore() {
  errs().flush();
  dup2(Original, STDERR_FILENO);
  Holder = nullptr;
  std::string Text;
  std::rewind(File);
  char Chunk[4096];
  while (size_t Read = std::fread(Chunk, 1, sizeof(Chunk), File))
    Text.append(Chunk, Read);
  return Text;
}

std::string HeldStderr::release() {
  return Holder ? Holder->restore() : std::string();
}

/// Ends the program as an unreadable input does. LLVM gives no way back from
/// a fatal error.
static void onFatalError(void *, const char *Reason, bool) {
  std::string Held = HeldStderr::release();
  // The machine verifier explains itself ahead of the fatal error.
  auto [Before, Fault] = StringRef(Held).split("*** Bad machine code: ");
  if (Fault.empty()) {
    errs() << Held;
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
    errs() << HeldStderr::release();
    reportError("LLVM crashed on this input; with invalid IR or MIR that is "
                "its way to reject it");
    std::_Exit(Failure);
  }
  return Result;
}

} // namespace regdem
