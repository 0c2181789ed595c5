//===- SpillPrinter.cpp - the tables of --print=spills --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printers.h"

#include "TextTable.h"
#include "regdem/MachineCode/SpillTrace.h"
#include "regdem/Options.h"
#include "regdem/Toolchain/Disassembler.h"
#include "regdem/Toolchain/NeededTool.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

/// "2", or "2 (20 runs)" in a loop.
static std::string describe(unsigned Count, double Runs) {
  std::string Text = utostr(Count);
  if (Runs != Count)
    raw_string_ostream(Text) << " (" << format("%.4g", Runs) << " runs)";
  return Text;
}

/// The statement on a line, with its place in the source where that is known.
static std::string describe(unsigned Line, ArrayRef<PTXStatement> Statements) {
  if (!Line || Line > Statements.size())
    return "unknown";
  const PTXStatement &S = Statements[Line - 1];
  return S.Source.empty() ? S.Text : (S.Source + "  " + Twine(S.Text)).str();
}

static void print(raw_ostream &OS, StringRef Kernel,
                  ArrayRef<SpillPlace> Places,
                  ArrayRef<PTXStatement> Statements) {
  OS << "=== spills of " << Kernel << " ===\n";
  if (Places.empty()) {
    OS << "none\n";
    return;
  }
  TextTable Table({"offset", "bytes", "stores", "reloads", "value"});
  for (const SpillPlace &P : Places) {
    std::vector<std::string> Row{utostr(P.Offset), utostr(P.Bytes),
                                 describe(P.Stores, P.StoreRuns),
                                 describe(P.Reloads, P.ReloadRuns)};
    for (unsigned Line : P.Lines) {
      Row.push_back(describe(Line, Statements));
      Table.addRow(Row);
      Row = {"", "", "", ""};
    }
    if (P.Lines.empty()) {
      Row.push_back("unknown");
      Table.addRow(Row);
    }
  }
  Table.print(OS);
}

/// The tool that Choose finds; an error where there is none.
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
  for (const std::string &Name : Kernels) {
    auto Kernel = parseSass(*Listing, Name);
    if (!Kernel)
      return Kernel.takeError();
    print(OS, Name, findSpills(*Kernel), Numbered.Statements);
  }
  return Error::success();
}

} // namespace regdem
