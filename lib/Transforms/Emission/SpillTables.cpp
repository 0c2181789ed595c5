//===- SpillTables.cpp - the tables of --print=spills ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/SpillTables.h"

#include "regdem/Emission/TextTable.h"
#include "regdem/MachineCode/PtxText.h"
#include "regdem/MachineCode/SpillTrace.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

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

/// "a.cu:3, 7; b.cu:2": the places in the source of statements on Lines; empty
/// where none is known.
static std::string places(const std::set<unsigned> &Lines,
                          ArrayRef<PTXStatement> Statements) {
  std::map<std::string, std::set<unsigned>> ByFile;
  for (unsigned Line : Lines) {
    if (Line > Statements.size())
      continue;
    auto [File, Number] = StringRef(Statements[Line - 1].Source).rsplit(':');
    if (unsigned Its; !Number.getAsInteger(10, Its))
      ByFile[File.str()].insert(Its);
  }
  std::string Text;
  for (const auto &[File, Numbers] : ByFile) {
    Text += (Text.empty() ? "" : "; ") + File + ":";
    ListSeparator Comma;
    for (unsigned Number : Numbers)
      Text += (StringRef(Comma) + Twine(Number)).str();
  }
  return Text;
}

static void print(raw_ostream &OS, ArrayRef<SpillPlace> Places,
                  ArrayRef<PTXStatement> Statements) {
  if (Places.empty()) {
    OS << "none\n";
    return;
  }
  TextTable Table({"offset", "bytes", "stores", "reloads", "value"});
  for (const SpillPlace &P : Places) {
    std::vector<std::string> Row{utostr(P.Offset), utostr(P.Bytes),
                                 describe(P.Stores, P.StoreRuns),
                                 describe(P.Reloads, P.ReloadRuns)};
    const std::set<unsigned> Unknown = {0};
    for (unsigned Line : P.Lines.empty() ? Unknown : P.Lines) {
      Row.push_back(describe(Line, Statements));
      Table.addRow(Row);
      Row = {"", "", "", ""};
    }
    std::string Stored = places(P.StoredAt, Statements);
    std::string Reloaded = places(P.ReloadedAt, Statements);
    if (Stored.empty() || Reloaded.empty())
      continue;
    Row.push_back(
        ("  stored at " + Twine(Stored) + ", reloaded at " + Reloaded).str());
    Table.addRow(Row);
  }
  Table.print(OS);
}

Error printSpillTables(raw_ostream &OS, StringRef PTX, StringRef Arch,
                       ArrayRef<std::string> Flags, const Ptxas &Assembler,
                       const ToolLimits &Limits,
                       ArrayRef<std::string> Kernels) {
  NumberedPTX Numbered = numberStatements(PTX);
  Ptxas::Job Job;
  Job.PTX = Numbered.Text;
  Job.KeepCubin = true;
  Job.LineTable = true;
  Job.Flags = Flags.vec();
  auto Figures = Assembler.assemble(Job, Arch, Limits);
  if (!Figures)
    return Figures.takeError();
  StringRef Cubin = Figures->front().Cubin;
  std::vector<std::string> All;
  if (Kernels.empty()) {
    const PtxFile File(PTX);
    for (const PtxFunction &F : File.functions())
      if (F.IsEntry)
        All.push_back(F.Name);
    Kernels = All;
  }
  for (const std::string &Name : Kernels) {
    OS << "=== spills of " << demangle(Name) << " ===\n";
    auto Kernel = decodeKernel(Cubin, Name);
    if (!Kernel) {
      OS << "unknown: " << toString(Kernel.takeError()) << "\n";
      continue;
    }
    readSourceLines(Cubin, *Kernel); // Else values are unknown.
    print(OS, findSpills(*Kernel), Numbered.Statements);
  }
  return Error::success();
}

} // namespace regdem
