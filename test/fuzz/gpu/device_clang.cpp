//===- device_clang.cpp - clang's compilation for the GPU alone -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes clang's command line and makes PTX of CUDA code or of IR, in one
// process. Linked with clang's and LLVM's archives it is a program of 70 MB,
// 19 MB compressed, that runs where no LLVM is installed: see README.md. RegDem
// is linked in as well if build_device_clang.sh is told to, and runs under
// -fpass-plugin=RegDem.so, a library that only says so.
//
//===----------------------------------------------------------------------===//
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

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

int main(int Argc, char **Argv) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  DiagnosticOptions Options;
  TextDiagnosticPrinter Printer(llvm::errs(), Options);
  DiagnosticsEngine Diags(DiagnosticIDs::create(), Options, &Printer,
                          /*ShouldOwnClient=*/false);
  driver::Driver Driver(Argv[0], "x86_64-unknown-linux-gnu", Diags, "clang");
  std::unique_ptr<driver::Compilation> All(
      Driver.BuildCompilation(llvm::ArrayRef<const char *>(Argv, Argc)));
  if (!All || Diags.hasErrorOccurred())
    return 1;
  for (const driver::Command &Job : All->getJobs())
    if (!compile(Job, Diags)) {
      llvm::errs() << "error: no PTX (only -S is supported)\n";
      return 1;
    }
  return 0;
}
