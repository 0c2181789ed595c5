//===- SpillPrinter.cpp - --print=spills of a module ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printers.h"

#include "regdem/Emission/SpillTables.h"
#include "regdem/Options.h"
#include "regdem/Toolchain/Disassembler.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

Error printSpills(raw_ostream &OS, StringRef PTX, StringRef Arch,
                  ArrayRef<std::string> Kernels) {
  Options O = commandLineOptions();
  auto Assembler =
      need<Ptxas>(O.Ptxas, "--print=spills needs ptxas, and none was found");
  if (!Assembler)
    return Assembler.takeError();
  auto Reader = need<Disassembler>(
      O.Disassembler, "--print=spills needs nvdisasm, and none was found");
  if (!Reader)
    return Reader.takeError();
  NumberedPTX Numbered = numberStatements(PTX);
  Ptxas::Job Job;
  Job.PTX = Numbered.Text;
  Job.KeepCubin = true;
  Job.LineTable = true;
  auto Figures = Assembler->assemble(Job, Arch, O.Limits);
  if (!Figures)
    return Figures.takeError();
  auto Listing = Reader->list(Figures->front().Cubin, O.Limits, /*Lines=*/true);
  if (!Listing)
    return Listing.takeError();
  return printSpillTables(OS, *Listing, Kernels, Numbered.Statements);
}

} // namespace regdem
