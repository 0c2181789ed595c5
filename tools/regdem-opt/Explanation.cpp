//===- Explanation.cpp - the table of --explain ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explanation.h"

#include "KernelInspector.h"
#include "TextTable.h"
#include "regdem/Decision/Planner.h"
#include "regdem/Emission/Messages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

namespace {

constexpr size_t Width = 100;
/// Column where the text beside a label starts.
constexpr size_t Indent = 15;
/// Words without a limit, to learn how many a plan would take.
constexpr unsigned AnyWords = ~0u;

void line(raw_ostream &OS, StringRef Label, const std::string &Text) {
  printParagraph(OS, Label, Text, Indent, Width);
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
  TextTable Table({"blocks/SM", "warps/SM", "max regs", "room", "words",
                   "pressure", "stores", "reloads", "outlook"});
  for (unsigned Cap : capsToShow(K, Limits)) {
    Objective Goal = objectiveForCap(K.Facts, K.Opts, Limits, Cap);
    unsigned Room = Goal.maxWords(K.Facts.Threads);
    unsigned Target =
        K.Opts.Target ? K.Opts.Target : estimatedTarget(Goal.MaxRegs);
    DemotionPlan Plan =
        planDemotion(K.Graph, {Target, AnyWords, K.Decided.Plan.How});
    unsigned Warps = (K.Facts.Threads + Limits.WarpSize - 1) / Limits.WarpSize;
    std::string Outlook = outlook(Plan, Room, K.Graph);
    if (Cap == K.Decided.Result.MaxRegs)
      Outlook += " (stated cap)";
    Table.addRow({utostr(Goal.BlocksPerSM), utostr(Goal.BlocksPerSM * Warps),
                  utostr(Cap), utostr(Room), utostr(Plan.Words),
                  utostr(Plan.PressureAfter),
                  utostr(Plan.count(PlanAction::Store)),
                  utostr(Plan.count(PlanAction::Reload)), Outlook});
  }
  if (Table.empty())
    return;
  OS << "\n";
  Table.print(OS);
  OS << "  room: words of shared memory a thread may have at that step; words: "
        "what demotion needs there\n\n";
}

void printVariants(raw_ostream &OS, ArrayRef<Variant> Variants) {
  if (Variants.empty())
    return;
  TextTable Table({"tried", "max regs", "target", "regs", "spill stores",
                   "spill loads", "shared", "blocks/SM", "score", ""});
  for (const Variant &V : Variants)
    Table.addRow({toString(V.What).str(), V.MaxRegs ? utostr(V.MaxRegs) : "-",
                  V.Target ? utostr(V.Target) : "-", utostr(V.Regs),
                  utostr(V.SpillStoreBytes), utostr(V.SpillLoadBytes),
                  utostr(V.StaticShared), utostr(V.BlocksPerSM),
                  utostr(V.Score), V.Chosen ? "chosen" : ""});
  Table.print(OS);
  OS << "  by ptxas: registers a thread, local and shared memory in bytes\n\n";
}

void printRegisters(raw_ostream &OS, const Outcome &O) {
  auto Stock = find_if(
      O.Variants, [](const Variant &V) { return V.What == Decision::Stock; });
  std::string Text = formatv("{0} words of pressure", O.PressureBefore);
  if (Stock != O.Variants.end())
    Text += formatv(", {0} registers by ptxas", Stock->Regs);
  line(OS, "registers", Text);
}

} // namespace

void explain(raw_ostream &OS, const InspectedKernel &K) {
  const Outcome &O = K.Decided.Result;
  const SMLimits *Limits = lookupSMLimits(K.Facts.Arch);
  line(OS, "kernel", K.Facts.Name);
  line(OS, "target",
       formatv("sm_{0}, {1} threads a block ({2})", K.Facts.Arch,
               K.Facts.Threads, toString(K.Facts.ThreadsFrom)));
  line(OS, "shared memory",
       formatv("{0} bytes a block static, {1} dynamic", K.Facts.StaticShared,
               K.Opts.DynamicSmem          ? utostr(*K.Opts.DynamicSmem)
               : K.Facts.UsesDynamicShared ? std::string("unknown")
                                           : std::string("0")));
  printRegisters(OS, O);
  if (Limits) {
    line(OS, "occupancy",
         formatv("{0} blocks of {1} warps per SM, limited by {2}",
                 O.Before.BlocksPerSM,
                 O.Before.BlocksPerSM
                     ? O.Before.WarpsPerSM / O.Before.BlocksPerSM
                     : 0,
                 toString(O.Before.Limit)));
    printSteps(OS, K, *Limits);
  }
  printVariants(OS, O.Variants);
  line(OS, "RegDem",
       K.Opts.RunMode == Mode::Off ? "switched off for this kernel"
                                   : describeDecision(O));
}

} // namespace regdem
