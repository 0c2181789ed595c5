//===- device_clang.cpp - clang's compilation for the GPU alone -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes clang's command line and makes PTX of CUDA code or of IR, in one
// process, or a program of the CPU of C++, which g++ assembles and links.
// Linked with clang's and LLVM's archives it runs where no LLVM is installed:
// see README.md. RegDem is linked in as well if build_device_clang.sh is told
// to, and runs under -fpass-plugin=RegDem.so, a library that only says so.
//
//===----------------------------------------------------------------------===//
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm-c/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <unistd.h>
#include <vector>

using namespace clang;

// Debian's LLVM asks for Polly, which has no archive in the same package.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder &) {}};
}

static bool compile(const driver::Command &Job, DiagnosticsEngine &Diags) {
  llvm::ArrayRef<const char *> Words = Job.getArguments();
  auto Invocation = std::make_shared<CompilerInvocation>();
  if (Words.empty() || llvm::StringRef(Words[0]) != "-cc1" ||
      !CompilerInvocation::CreateFromArgs(*Invocation, Words.drop_front(),
                                          Diags))
    return false;
  CompilerInstance Compiler(Invocation);
  Compiler.createVirtualFileSystem(llvm::vfs::getRealFileSystem());
  Compiler.createDiagnostics();
  Compiler.LoadRequestedPlugins();
  EmitAssemblyAction Action;
  const FrontendOptions &Asked = Invocation->getFrontendOpts();
  std::vector<const char *> Arguments = {"clang"};
  for (const std::string &A : Asked.LLVMArgs)
    Arguments.push_back(A.c_str());
  llvm::cl::ParseCommandLineOptions(static_cast<int>(Arguments.size()),
                                    Arguments.data());
  return Asked.ProgramAction == frontend::EmitAssembly &&
         Compiler.ExecuteAction(Action);
}

/// Assembly of what Arguments, a command line of clang with -S, says.
static bool assemblyOf(llvm::ArrayRef<const char *> Arguments) {
  DiagnosticOptions Options;
  TextDiagnosticPrinter Printer(llvm::errs(), Options);
  DiagnosticsEngine Diags(DiagnosticIDs::create(), Options, &Printer,
                          /*ShouldOwnClient=*/false);
  driver::Driver Driver(Arguments[0], "x86_64-unknown-linux-gnu", Diags,
                        "clang");
  std::unique_ptr<driver::Compilation> All(Driver.BuildCompilation(Arguments));
  if (!All || Diags.hasErrorOccurred())
    return false;
  for (const driver::Command &Job : All->getJobs())
    if (!compile(Job, Diags)) {
      llvm::errs() << "error: no assembly\n";
      return false;
    }
  return true;
}

int main(int Argc, char **Argv) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  std::vector<const char *> Arguments(Argv, Argv + Argc);
  auto Output = llvm::find(Arguments, llvm::StringRef("-o"));
  if (llvm::is_contained(Arguments, llvm::StringRef("-S")) ||
      llvm::is_contained(Arguments, llvm::StringRef("--cuda-device-only")) ||
      Output == Arguments.end() || Output + 1 == Arguments.end())
    return !assemblyOf(Arguments);
  const char *Program = Output[1];
  std::string Assembly = std::string(Program) + ".s";
  Output[1] = Assembly.c_str();
  Arguments.push_back("-S");
  Arguments.push_back("-fno-addrsig"); // Which older assemblers do not know.
  if (!assemblyOf(Arguments))
    return 1;
  execlp("g++", "g++", "-no-pie", Assembly.c_str(), "-o", Program, nullptr);
  llvm::errs() << "error: no g++\n";
  return 1;
}
