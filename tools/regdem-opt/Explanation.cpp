//===- Explanation.cpp - the table of --explain ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printers.h"

#include "CodeGenerator.h"
#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Decision/Plan/DemotionPlan.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Emission/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

namespace {

/// Words without a limit, to learn how many a plan would take.
constexpr unsigned AnyWords = ~0u;

/// Register words with which ptxas usually keeps to Cap.
unsigned usualTarget(unsigned Cap) {
  constexpr unsigned ForAddresses = 4;
  return std::max(Cap, MaxRegsRange.Low) - ForAddresses;
}

/// Prints "Label  Text", Text broken between words. Longer words are cut.
void line(raw_ostream &OS, StringRef Label, const std::string &Text) {
  constexpr unsigned Width = 100, Indent = 15; // Columns.
  OS << left_justify(Label, Indent);
  size_t Column = Indent;
  auto Break = [&] {
    OS << "\n";
    OS.indent(Indent);
    Column = Indent;
  };
  for (StringRef Word : split(Text, ' ')) {
    bool IsFirst = Column == Indent;
    if (!IsFirst && Column + 1 + Word.size() > Width) {
      Break();
    } else if (!IsFirst) {
      OS << " ";
      ++Column;
    }
    while (Column + Word.size() > Width) {
      OS << Word.take_front(Width - Column);
      Word = Word.drop_front(Width - Column);
      Break();
    }
    OS << Word;
    Column += Word.size();
  }
  OS << "\n";
}

/// Register caps worth a row, descending: the step that the kernel is on, the
/// ones that fewer registers reach, and the cap in force.
std::vector<unsigned> capsToShow(const InspectedKernel &K,
                                 const SMLimits &Limits) {
  const Occupancy &Now = K.Decided.Result.Before;
  std::vector<unsigned> Caps;
  for (OccupancyStep S : occupancySteps(Limits, K.Facts.Threads))
    if (S.Blocks >= Now.BlocksPerSM &&
        objectiveForCap(K.Facts, K.Opts, Limits, S.MaxRegs).BlocksPerSM ==
            S.Blocks)
      Caps.push_back(S.MaxRegs);
  unsigned InForce = K.Decided.Result.MaxRegs;
  if (InForce && !is_contained(Caps, InForce))
    Caps.push_back(InForce);
  llvm::sort(Caps, std::greater<unsigned>());
  return Caps;
}

/// What a plan under the cap of Goal comes to, in words.
std::string outlook(const DemotionPlan &Free, unsigned Room,
                    const KernelGraph &Graph) {
  if (Free.PressureBefore <= Free.Target)
    return "fits without demotion";
  if (Free.empty())
    return "nothing can leave";
  if (Free.Words > Room) {
    unsigned Reached =
        planDemotion(Graph, {Free.Target, Room, Free.How}).PressureAfter;
    return formatv("{0} words short: pressure {1}", Free.Words - Room, Reached);
  }
  if (Free.PressureAfter > Free.Target)
    return formatv("pressure stays at {0}", Free.PressureAfter);
  return "fits with demotion";
}

void printSteps(raw_ostream &OS, const InspectedKernel &K,
                const SMLimits &Limits) {
  TextTable Table({"blocks", "warps", "regs", "room", "words", "pressure",
                   "stores", "reloads", "outlook"});
  const DemotionPlan &Decided = K.Decided.Plan;
  Strategy How = Decided.empty() ? Strategy::Belady : Decided.How;
  for (unsigned Cap : capsToShow(K, Limits)) {
    Objective Goal = objectiveForCap(K.Facts, K.Opts, Limits, Cap);
    unsigned Room = Goal.maxWords(K.Facts.Threads);
    DemotionPlan Plan =
        planDemotion(K.Graph, {usualTarget(Cap), AnyWords, How});
    unsigned Warps = warpsPerBlock(Limits, K.Facts.Threads);
    bool InForce = Cap == K.Decided.Result.MaxRegs;
    Table.addRow(
        {utostr(Goal.BlocksPerSM), utostr(Goal.BlocksPerSM * Warps),
         (InForce ? "*" : "") + utostr(Cap), utostr(Room), utostr(Plan.Words),
         utostr(Plan.PressureAfter), utostr(Plan.count(PlanAction::Store)),
         utostr(Plan.count(PlanAction::Reload)), outlook(Plan, Room, K.Graph)});
  }
  if (Table.empty())
    return;
  OS << "\n";
  Table.print(OS);
  OS << "  per SM: blocks, warps; per thread: registers, words of shared "
        "memory "
        "that there is room for,\n"
        "  words that demotion takes, register words then in use; "
        "* the stated cap\n\n";
}

/// Whether A and B differ in nothing that ptxas says.
bool sameFigures(const Build &A, const Build &B) {
  return A.What == B.What && A.MaxRegs == B.MaxRegs && A.How == B.How &&
         A.isRefused() == B.isRefused() && A.Regs == B.Regs &&
         A.SpillStoreBytes == B.SpillStoreBytes &&
         A.SpillLoadBytes == B.SpillLoadBytes &&
         A.StaticShared == B.StaticShared && A.BlocksPerSM == B.BlocksPerSM;
}

/// One of each set of O's builds with the same figures: the one that is chosen
/// or else the first.
std::vector<const Build *> distinctBuilds(const Outcome &O) {
  std::vector<const Build *> Result;
  for (const Build &V : O.Builds) {
    auto Same = find_if(
        Result, [&](const Build *Other) { return sameFigures(V, *Other); });
    if (Same == Result.end())
      Result.push_back(&V);
    else if (&V == O.chosen())
      *Same = &V;
  }
  return Result;
}

std::string nameOf(const Build &V) {
  bool Both = V.What == Decision::Demote && V.SmemSpilling;
  return (toString(V.What) + (Both ? "+pragma" : "")).str();
}

/// What the columns do not say of V.
std::string noteOn(const Outcome &O, const Build &V) {
  SmallVector<std::string, 4> Notes;
  if (&V == O.chosen())
    Notes.push_back("chosen");
  if (V.isRefused())
    Notes.push_back("refused by ptxas");
  if (V.MinBlocks)
    Notes.push_back(formatv(".minnctapersm {0}", V.MinBlocks));
  if (any(V.Rewrites))
    Notes.push_back(describe(V.Rewrites));
  if (V.Order != InstOrder::Source)
    Notes.push_back(("order " + toString(V.Order)).str());
  if (V.MovedBytes)
    Notes.push_back(
        V.FrameBytes
            ? formatv("{0} bytes of its frame in shared memory", V.MovedBytes)
                  .str()
            : "frame in shared memory");
  return join(Notes, ", ");
}

/// What V is expected to gain, in percent; "-" where its time is not predicted.
std::string gainOf(const Outcome &O, const Build &V) {
  return V.Cycles > 0 ? formatv("{0:F1}", 100 * O.expectedGain(V)).str() : "-";
}

void printBuilds(raw_ostream &OS, const Outcome &O) {
  if (O.Builds.empty())
    return;
  TextTable Table({"tried", "how", "cap", "target", "regs", "spill", "local",
                   "shared", "blocks", "score", "gain", ""});
  std::vector<const Build *> Distinct = distinctBuilds(O);
  for (const Build *V : Distinct)
    Table.addRow(
        {nameOf(*V), V->What == Decision::Demote ? toString(V->How).str() : "-",
         V->MaxRegs ? utostr(V->MaxRegs) : "-",
         V->Target ? utostr(V->Target) : "-", utostr(V->Regs),
         utostr(V->SpillStoreBytes) + "+" + utostr(V->SpillLoadBytes),
         utostr(V->FrameBytes), utostr(V->StaticShared), utostr(V->BlocksPerSM),
         utostr(scoreOf(*V)), gainOf(O, *V), noteOn(O, *V)});
  Table.print(OS);
  OS << "  by ptxas: registers a thread; spill stores+loads, local memory a "
        "thread and\n  shared memory a block in bytes";
  if (Distinct.size() != O.Builds.size())
    OS << "; " << O.Builds.size() - Distinct.size() << " others alike";
  OS << "\n";
  if (O.predictedBase())
    OS << "  by prediction: gain over the first build that has one, in "
          "percent; the rest lost by score\n";
  OS << "\n";
}

std::string describeOccupancy(const Occupancy &O, const SMLimits &Limits) {
  if (O.Limit == Limiter::TooLarge)
    return "not one block of that size fits an SM";
  return formatv("{0} blocks, {1} of {2} warps per SM, limited by {3}",
                 O.BlocksPerSM, O.WarpsPerSM, Limits.MaxWarpsPerSM,
                 toString(O.Limit));
}

std::string describeRegisters(const Outcome &O) {
  if (const Build *Stock = O.stock())
    return formatv("{0} by ptxas, {1} words of pressure", Stock->Regs,
                   O.PressureBefore);
  return formatv("about {0} by estimate, {1} words of pressure",
                 estimatedRegs(O.PressureBefore), O.PressureBefore);
}

} // namespace

void explain(raw_ostream &OS, const InspectedKernel &K) {
  const Outcome &O = K.Decided.Result;
  const SMLimits *Limits = lookupSMLimits(K.Facts.Arch);
  line(OS, "kernel", shownName(K.Facts.Name));
  line(OS, "target",
       formatv("{0}, {1} threads a block ({2})", K.Facts.ArchName,
               K.Facts.Threads, toString(K.Facts.ThreadsFrom)));
  line(OS, "shared memory",
       formatv("{0} bytes a block static, {1} dynamic", K.Facts.StaticShared,
               K.Opts.DynamicSmem          ? utostr(*K.Opts.DynamicSmem)
               : K.Facts.UsesDynamicShared ? std::string("unknown")
                                           : std::string("0")));
  line(OS, "registers", describeRegisters(O));
  if (Limits) {
    line(OS, "occupancy", describeOccupancy(O.Before, *Limits));
    printSteps(OS, K, *Limits);
  }
  printBuilds(OS, O);
  line(OS, "RegDem",
       K.Opts.RunMode == Mode::Off ? "switched off for this kernel"
                                   : describeDecision(O));
}

} // namespace regdem
