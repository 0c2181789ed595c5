//===- SpillPrinter.cpp - --print=spills of PTX ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas gets its own command line, but for numbered PTX (SpillTrace.h) as
// input, a file of our own as output, and line tables.
//
//===----------------------------------------------------------------------===//

#include "SpillPrinter.h"

#include "regdem/Emission/SpillTables.h"
#include "regdem/MachineCode/SassListing.h"
#include "regdem/Toolchain/Disassembler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

/// The program that ptxas makes of PTX with Options.
static Expected<std::string> assemble(const Ptxas &Assembler, StringRef PTX,
                                      ArrayRef<StringRef> Options) {
  SmallString<128> Input, Output;
  for (auto [Ending, Path] : {std::pair("ptx", &Input), {"cubin", &Output}})
    if (std::error_code Failure =
            sys::fs::createTemporaryFile("regdem", Ending, *Path))
      return createStringError("no temporary file: " + Failure.message());
  FileRemover RemoveInput(Input), RemoveOutput(Output);
  if (Error E = writeToOutput(Input, [&](raw_ostream &Out) {
        Out << PTX;
        return Error::success();
      }))
    return E;
  SmallVector<StringRef, 32> Args{Assembler.path()};
  append_range(Args, Options);
  for (StringRef More : {"-lineinfo", "-o", Output.c_str(), Input.c_str()})
    Args.push_back(More);
  if (int Status = sys::ExecuteAndWait(Assembler.path(), Args))
    return createStringError("'" + Assembler.path() + "' ended with " +
                             Twine(Status));
  auto Program = MemoryBuffer::getFile(Output, /*IsText=*/false,
                                       /*RequiresNullTerminator=*/false);
  if (!Program)
    return errorCodeToError(Program.getError());
  return (*Program)->getBuffer().str();
}

bool statesOutput(StringRef Arg) {
  StringRef Name = Arg.split('=').first;
  return Name == "-o" || Name == "--output-file";
}

Error printSpills(const Ptxas &Assembler, ArrayRef<StringRef> Args) {
  auto Reader = need<Disassembler>("auto", "no nvdisasm was found");
  if (!Reader)
    return Reader.takeError();
  SmallVector<StringRef, 32> Options;
  std::vector<StringRef> Inputs;
  for (size_t I = 0; I != Args.size(); ++I) {
    if (statesOutput(Args[I])) // The next argument is its value.
      I += !Args[I].contains('=') && I + 1 != Args.size();
    else if (Args[I].ends_with(".ptx") && !Args[I].starts_with("-"))
      Inputs.push_back(Args[I]);
    else if (Args[I] != "-lineinfo" && Args[I] != "--generate-line-info")
      Options.push_back(Args[I]);
  }
  if (Inputs.empty())
    return createStringError("no file that ends with .ptx");
  for (StringRef Path : Inputs) {
    auto Text = MemoryBuffer::getFile(Path);
    if (!Text)
      return createStringError("cannot read '" + Path +
                               "': " + Text.getError().message());
    NumberedPTX Numbered = numberStatements((*Text)->getBuffer());
    auto Program = assemble(Assembler, Numbered.Text, Options);
    if (!Program)
      return Program.takeError();
    auto Listing = Reader->list(*Program, {}, /*Lines=*/true);
    if (!Listing)
      return Listing.takeError();
    auto Code = readListing(*Listing);
    if (!Code)
      return Code.takeError();
    if (Error E = printSpillTables(outs(), *Listing, Code->Kernels,
                                   Numbered.Statements))
      return E;
  }
  return Error::success();
}

} // namespace regdem
