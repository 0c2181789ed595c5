//===- SassPrinter.cpp - the table of --sass ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printers.h"

#include "regdem/Emission/TextTable.h"
#include "regdem/MachineCode/Sass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <array>

using namespace llvm;

namespace regdem {

Expected<SassKernel> readSass(StringRef Path, StringRef Name) {
  StringRef Shown = Path == "-" ? "<stdin>" : Path;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFileOrSTDIN(Path);
  if (!Buffer)
    return createStringError("cannot read '" + Shown +
                             "': " + Buffer.getError().message());
  StringRef Contents = (*Buffer)->getBuffer();
  if (Contents.empty())
    return createStringError("'" + Shown + "' is empty");
  Expected<SassKernel> K = decodeKernel(Contents, Name);
  if (!K)
    return createStringError(Shown + ": " + toString(K.takeError()));
  return K;
}

namespace {

/// Sums over one block, or over all by frequency.
struct Sums {
  double Instructions = 0, Stall = 0;
  std::array<double, NumSassClasses> Classes{};

  void add(const SassBlock &B, double Times) {
    Instructions += Times * static_cast<double>(B.Instructions.size());
    for (const SassInstruction &I : B.Instructions) {
      Stall += Times * I.Stall;
      Classes[static_cast<size_t>(I.Class)] += Times;
    }
  }
};

/// Value with four significant digits at most.
std::string number(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.4g", Value);
  return Text;
}

/// "2 FP32, 1 branch".
std::string describeClasses(const Sums &S) {
  std::string Text;
  raw_string_ostream OS(Text);
  ListSeparator Comma(", ");
  for (size_t C = 0; C != NumSassClasses; ++C)
    if (S.Classes[C])
      OS << Comma << number(S.Classes[C]) << " "
         << toString(static_cast<SassClass>(C));
  return Text;
}

/// Where control goes after a block.
std::string describeNext(const SassKernel &K, const SassBlock &B) {
  std::string Text;
  raw_string_ostream OS(Text);
  ListSeparator Comma(", ");
  for (unsigned S : B.Successors)
    OS << Comma << S;
  if (B.Callee)
    OS << " (calls " << K.Functions[*B.Callee].Entry << ")";
  return Text;
}

void printFunctions(raw_ostream &OS, const SassKernel &K) {
  for (const SassFunction &F : ArrayRef<SassFunction>(K.Functions).drop_front())
    OS << "calls " << F.Name << " at block " << F.Entry << "\n";
  if (K.HasUnknownCallees)
    OS << "calls code that the file does not show\n";
}

void printBlocks(raw_ostream &OS, const SassKernel &K) {
  TextTable Table({"block", "address", "depth", "frequency", "stall", "next",
                   "instructions"});
  Sums All;
  for (unsigned N = 0; N != K.Blocks.size(); ++N) {
    const SassBlock &B = K.Blocks[N];
    Sums S;
    S.add(B, 1);
    All.add(B, B.Frequency);
    Table.addRow({utostr(N), utohexstr(B.Instructions.front().Address, true),
                  utostr(B.LoopDepth), number(B.Frequency), number(S.Stall),
                  describeNext(K, B), describeClasses(S)});
  }
  Table.addRow({"all", "", "", "", number(All.Stall), "",
                number(All.Instructions) + ": " + describeClasses(All)});
  Table.print(OS);
  OS << "  a block's row: one run of it; all: one run of each function by a "
        "warp, by the frequencies,\n"
        "  which are estimates; stall: cycles that the code itself has a warp "
        "wait\n";
}

void printLoops(raw_ostream &OS, const SassKernel &K) {
  TextTable Table({"loop at block", "depth", "iterations", ""});
  for (const SassLoop &L : K.Loops)
    Table.addRow({utostr(L.Header), utostr(L.Depth), number(L.Trips),
                  L.TripsKnown ? "by the code's constants" : "assumed"});
  OS << "\n";
  Table.print(OS);
}

} // namespace

void print(raw_ostream &OS, const SassKernel &K) {
  size_t Instructions = 0;
  for (const SassBlock &B : K.Blocks)
    Instructions += B.Instructions.size();
  OS << "kernel " << K.Name << ": " << Instructions << " instructions in "
     << K.Blocks.size() << " blocks\n";
  printFunctions(OS, K);
  OS << "\n";
  printBlocks(OS, K);
  if (!K.Loops.empty())
    printLoops(OS, K);
}

} // namespace regdem
